package dev.turno.sql;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.h2.engine.SessionLocal;
import org.h2.jdbc.JdbcConnection;
import org.h2.mvstore.MVStore;

/** The file of an H2 inside of this process. In a class of its own, because it cannot be loaded without H2. */
final class H2File {

    /** Of old chunks that have both: pages that are still needed, and others. */
    private static final String FULL =
            "select setting_value from information_schema.settings where setting_name = 'info.CHUNKS_FILL_RATE_RW'";

    private static final int FULL_ENOUGH_PERCENT = 80;
    private static final int ANY = 100;

    /** Whoever commits waits while it is written. */
    private static final int A_LITTLE = 256 * 1024;

    private static final int TRIES = 5;
    private static final long BETWEEN_TRIES = TimeUnit.MILLISECONDS.toNanos(20);

    private H2File() {}

    /**
     * Each commit appends a chunk, of which soon only some page is still needed. With {@code WRITE_DELAY=0} H2 has no thread that gathers such
     * pages, so the file would have a chunk for nearly each of them, and a start after a kill looks at every chunk.
     */
    static boolean tidy(Connection connection) throws SQLException {
        if (!connection.isWrapperFor(JdbcConnection.class)
                || !(connection.unwrap(JdbcConnection.class).getSession() instanceof SessionLocal)) {
            return false; // a server's after all, as with AUTO_SERVER
        }
        MVStore store = ((SessionLocal) connection.unwrap(JdbcConnection.class).getSession())
                .getDatabase()
                .getStore()
                .getMvStore();
        if (store.getAutoCommitDelay() > 0 || percentFull(connection) >= FULL_ENOUGH_PERCENT) {
            return false;
        }
        // It also says that it moved nothing if it did not get H2's lock within some milliseconds.
        for (int tries = 0; tries < TRIES; tries++) {
            if (gather(store)) {
                return true;
            }
            LockSupport.parkNanos(BETWEEN_TRIES);
        }
        return false;
    }

    /** The commit is part of it: until then H2 takes what was moved to be in both places, and would begin with the same again. */
    private static boolean gather(MVStore store) {
        boolean moved = store.compact(ANY, A_LITTLE);
        store.commit();
        return moved;
    }

    private static int percentFull(Connection connection) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(FULL)) {
            return row.next() ? Integer.parseInt(row.getString(1)) : ANY;
        }
    }
}
