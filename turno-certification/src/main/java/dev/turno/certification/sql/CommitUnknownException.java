package dev.turno.certification.sql;

import org.springframework.dao.DataAccessResourceFailureException;

/** The database did not say whether it committed: all of the transaction is there, or nothing. */
public final class CommitUnknownException extends DataAccessResourceFailureException {

    CommitUnknownException(RuntimeException why) {
        super("A transaction may or may not have been committed; look at what is stored before going on.", why);
    }
}
