package dev.turno.sql;

import java.sql.Connection;
import java.sql.SQLException;
import org.h2.engine.SessionLocal;
import org.h2.jdbc.JdbcConnection;
import org.h2.mvstore.MVStore;

/** The file of an H2 inside of this process. In a class of its own, because it cannot be loaded without H2. */
final class H2File {

    private static final int FULL_ENOUGH_PERCENT = 50;

    /** Whoever commits waits while it is written. */
    private static final int A_LITTLE = 256 * 1024;

    private H2File() {}

    /**
     * Each commit appends a chunk, of which soon only some page is still needed. With {@code WRITE_DELAY=0} H2 has no thread that gathers such
     * pages, so the file would have a chunk for nearly each of them, and a start after a kill looks at every chunk.
     */
    static boolean tidy(Connection connection) throws SQLException {
        MVStore store = ((SessionLocal) connection.unwrap(JdbcConnection.class).getSession())
                .getDatabase()
                .getStore()
                .getMvStore();
        if (store.getAutoCommitDelay() > 0) {
            return false; // it has one
        }
        boolean moved = store.compact(FULL_ENOUGH_PERCENT, A_LITTLE);
        store.commit(); // until then H2 takes what was moved to be in both places, and would begin with the same again
        return moved;
    }
}
