package dev.turno.claim;

import java.sql.SQLException;

/**
 * The database could not carry out a statement. The message says what was attempted and whether it may have happened
 * nevertheless.
 */
public final class DatabaseAwayException extends RuntimeException {

    public DatabaseAwayException(String message, SQLException cause) {
        super(message, cause);
    }
}
