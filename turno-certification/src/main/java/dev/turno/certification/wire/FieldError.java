package dev.turno.certification.wire;

/** What is wrong with one field. Never its value: that may be personal. */
public record FieldError(String field, String message) {}
