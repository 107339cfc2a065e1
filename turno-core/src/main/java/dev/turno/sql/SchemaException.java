package dev.turno.sql;

/** The tables are not as this code needs them. The message says what to run. */
public final class SchemaException extends RuntimeException {

    public SchemaException(String message) {
        super(message);
    }
}
