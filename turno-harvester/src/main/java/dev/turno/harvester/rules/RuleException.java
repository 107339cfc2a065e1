package dev.turno.harvester.rules;

/** A rule that cannot work as it was given; the message says which, why and what to do. */
public final class RuleException extends IllegalArgumentException {

    public RuleException(String message) {
        super(message);
    }

    RuleException(String message, Throwable cause) {
        super(message, cause);
    }
}
