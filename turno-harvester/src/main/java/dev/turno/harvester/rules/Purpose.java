package dev.turno.harvester.rules;

/** What a set of rules is for. */
public enum Purpose {
    VALIDATION,
    TRANSFORMATION
}
