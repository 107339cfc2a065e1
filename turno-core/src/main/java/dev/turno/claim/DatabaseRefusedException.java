package dev.turno.claim;

import java.sql.SQLException;

/** The database refused what was asked, and would refuse it again: trying again does not help. Nothing was changed. */
public final class DatabaseRefusedException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    public DatabaseRefusedException(String message, SQLException cause) {
        super(message, cause);
    }
}
