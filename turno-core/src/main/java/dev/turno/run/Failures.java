package dev.turno.run;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.sql.SQLException;
import java.sql.SQLNonTransientConnectionException;
import java.sql.SQLRecoverableException;
import java.sql.SQLTransientConnectionException;
import java.util.Optional;

/** What can be read from an exception. */
final class Failures {

    private static final int LONGEST = 4_000;
    private static final int DEEPEST = 20;

    private Failures() {}

    static Optional<SQLException> sqlIn(Throwable e) {
        Throwable cause = e;
        for (int depth = 0; cause != null && depth < DEEPEST; depth++) {
            if (cause instanceof SQLException sql) {
                return Optional.of(sql);
            }
            cause = cause.getCause();
        }
        return Optional.empty();
    }

    /** No item can be blamed for a connection that broke. */
    static boolean isConnectionGone(Throwable e) {
        return sqlIn(e).filter(Failures::isConnectionGone).isPresent();
    }

    private static boolean isConnectionGone(SQLException e) {
        String state = String.valueOf(e.getSQLState());
        return e instanceof SQLTransientConnectionException
                || e instanceof SQLNonTransientConnectionException
                || e instanceof SQLRecoverableException
                || state.startsWith("08")
                || state.startsWith("57P");
    }

    /** Text that every database can store. */
    static String text(Throwable e) {
        StringWriter text = new StringWriter();
        e.printStackTrace(new PrintWriter(text));
        String all = text.toString();
        return (all.length() <= LONGEST ? all : all.substring(0, LONGEST)).replace('\0', '\uFFFD');
    }
}
