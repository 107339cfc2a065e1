package dev.turno.run;

/** Something to do before or after. */
@FunctionalInterface
public interface Hook<T> {

    void on(T turn) throws Exception;

    /** This, then {@code next}. */
    default Hook<T> and(Hook<T> next) {
        return turn -> {
            on(turn);
            next.on(turn);
        };
    }

    static <T> Hook<T> none() {
        return turn -> {};
    }
}
