package dev.turno.chaos;

/**
 * What must never be found. Lost is what is over, or gone, without having had its effect; stuck is what is not over after all patience; idle
 * is a process that never did some kind of work again.
 */
enum Wrong {
    LOST("lost"),
    STUCK("stuck"),
    TWICE("effects twice"),
    ACCEPTED_TWICE("accepted twice"),
    STALE_ACCEPTED("stale accepted"),
    GONE("acknowledged and gone"),
    OUT_OF_ORDER("out of order"),
    CALLED_LOST("accepted and called lost"),
    CHANGED_BURST("burst changed at a retry"),
    TWO_HOLDERS("two lock holders"),
    EARLY("started early"),
    UNEVEN("uneven shares"),
    IDLE("idle for ever"),
    TAKEN_BY_THE_DEAD("taken by the dead"),
    DEAD_RENEWED("dead and renewed");

    private final String words;

    Wrong(String words) {
        this.words = words;
    }

    @Override
    public String toString() {
        return words;
    }
}
