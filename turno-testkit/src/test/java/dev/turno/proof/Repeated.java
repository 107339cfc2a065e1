package dev.turno.proof;

/** For what a machine that stands still for a moment can spoil: it holds at once, or else twice in a row. */
public final class Repeated {

    public interface Look {
        boolean holds(int number) throws Exception;
    }

    private Repeated() {}

    public static boolean holds(Look look) throws Exception {
        return look.holds(1) || (look.holds(2) && look.holds(3));
    }
}
