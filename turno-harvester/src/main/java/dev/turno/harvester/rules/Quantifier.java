package dev.turno.harvester.rules;

/** How many of a field's values must be good. */
public enum Quantifier {
    /** None. */
    ZERO_ONLY,
    /** Exactly one; others may be bad. */
    ONE_ONLY,
    /** Any number: the rule only looks, for the diagnosis. */
    ZERO_OR_MORE,
    ONE_OR_MORE,
    /** Every value that is there; a record without the field passes, so ask for the field by a rule of its own. */
    ALL;

    boolean holds(int good, int bad) {
        return switch (this) {
            case ZERO_ONLY -> good == 0;
            case ONE_ONLY -> good == 1;
            case ZERO_OR_MORE -> true;
            case ONE_OR_MORE -> good >= 1;
            case ALL -> bad == 0;
        };
    }
}
