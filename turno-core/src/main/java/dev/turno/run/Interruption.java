package dev.turno.run;

/** Ends the page in hand without storing it. Not an error, hence without a stack trace. */
final class Interruption extends RuntimeException {

    enum Why {
        /** Somebody wishes the run to stop. */
        STOP,
        /** This process ends; another one goes on. */
        HAND_OVER
    }

    private final Why why;

    Interruption(Why why) {
        super(why.name(), null, false, false);
        this.why = why;
    }

    Why why() {
        return why;
    }
}
