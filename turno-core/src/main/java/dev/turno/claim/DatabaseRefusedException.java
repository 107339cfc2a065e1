package dev.turno.claim;

import java.sql.SQLException;

/** The database refused what was asked, and would refuse it again: trying again does not help. Nothing was changed. */
public final class DatabaseRefusedException extends RuntimeException {

    public DatabaseRefusedException(String message, SQLException cause) {
        super(message, cause);
    }
}
