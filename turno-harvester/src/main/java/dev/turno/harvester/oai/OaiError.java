package dev.turno.harvester.oai;

/** An error that the protocol knows, such as {@code noRecordsMatch}. */
public record OaiError(String code, String message) {}
