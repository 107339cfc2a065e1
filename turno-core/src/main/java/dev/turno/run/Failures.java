package dev.turno.run;

import dev.turno.sql.StorableText;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.channels.ClosedByInterruptException;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.SQLNonTransientConnectionException;
import java.sql.SQLRecoverableException;
import java.sql.SQLTransientConnectionException;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Stream;

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
        return find(e, SQLException.class::isInstance).map(SQLException.class::cast);
    }

    private static Optional<Throwable> find(Throwable e, Predicate<Throwable> wanted) {
        return Stream.iterate(e, Objects::nonNull, Throwable::getCause)
                .limit(DEEPEST)
                .filter(wanted)
                .findFirst();
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

    /**
     * Nor for an interrupt of its thread, whoever did that. An {@link java.io.InterruptedIOException} is none by itself: HTTP
     * clients have it for their timeouts.
     */
    static boolean isInterrupt(Throwable e) {
        return Thread.currentThread().isInterrupted()
                || find(
                                e,
                                cause -> cause instanceof InterruptedException
                                        || cause instanceof ClosedByInterruptException)
                        .isPresent();
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
