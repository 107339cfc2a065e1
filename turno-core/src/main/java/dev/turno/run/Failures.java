package dev.turno.run;

import dev.turno.sql.StorableText;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.SQLNonTransientConnectionException;
import java.sql.SQLRecoverableException;
import java.sql.SQLTransientConnectionException;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** What can be read from an exception. */
final class Failures {

    private static final int LONGEST = 4_000;
    private static final int DEEPEST = 20;

    /** The connection, insufficient resources, a server that goes down, its own files. */
    private static final List<String> STATES = List.of("08", "53", "57P", "58");

    /** What MariaDB (disk full, a file or a table cannot grow) and H2 (its files) say under states of no meaning. */
    private static final Set<Integer> NO_ROOM = Set.of(1021, 1026, 1114, 90028, 90031);

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

    /** No item can be blamed for a connection that broke, nor for a server that goes down or has no room left. */
    static boolean isOfTheServer(Throwable e) {
        return sqlIn(e).filter(Failures::isOfTheServer).isPresent();
    }

    private static boolean isOfTheServer(SQLException e) {
        String state = String.valueOf(e.getSQLState());
        return e instanceof SQLTransientConnectionException
                || e instanceof SQLNonTransientConnectionException
                || e instanceof SQLRecoverableException
                || STATES.stream().anyMatch(state::startsWith)
                || NO_ROOM.contains(e.getErrorCode());
    }

    /** Asks the server, for a second at most. */
    static boolean isBroken(Connection connection) {
        try {
            return !connection.isValid(1);
        } catch (SQLException e) {
            return true;
        }
    }

    /** Text that every database can store. */
    static String text(Throwable e) {
        StringWriter text = new StringWriter();
        e.printStackTrace(new PrintWriter(text));
        return StorableText.of(text.toString(), LONGEST);
    }
}
