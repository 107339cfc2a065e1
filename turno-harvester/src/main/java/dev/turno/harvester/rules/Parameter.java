package dev.turno.harvester.rules;

import java.util.Optional;

/** One thing that the form of a rule asks. {@code preset}: what it is if nobody says; empty and required: it must be said. */
public record Parameter(String name, Form form, boolean required, Optional<Object> preset, String help) {

    /** What is typed into the form. */
    public enum Form {
        TEXT,
        FIELD,
        REGEX,
        EXPRESSION,
        NUMBER,
        SWITCH,
        LIST,
        TABLE,
        /** The type and the settings of a validator. */
        VALIDATOR
    }

    static Parameter required(String name, Form form, String help) {
        return new Parameter(name, form, true, Optional.empty(), help);
    }

    static Parameter optional(String name, Form form, Object preset, String help) {
        return new Parameter(name, form, false, Optional.of(preset), help);
    }
}
