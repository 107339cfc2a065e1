package dev.turno.simulation;

import dev.turno.Turno;
import dev.turno.TurnoOptions;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicLong;
import org.h2.jdbcx.JdbcDataSource;

/** One migrated database in memory, used by one simulation after the other. Not shared by threads, but for the actors of one simulation. */
final class Stage implements AutoCloseable {

    /** A connection with its statements, which live as long as it does. */
    static final class Raw {
        private final Connection connection;
        private final Map<String, PreparedStatement> prepared = new HashMap<>();

        private Raw(Connection connection) {
            this.connection = connection;
        }

        Connection connection() {
            return connection;
        }

        PreparedStatement prepare(String sql) throws SQLException {
            PreparedStatement known = prepared.get(sql);
            if (known == null) {
                known = connection.prepareStatement(sql);
                prepared.put(sql, known);
            }
            return known;
        }
    }

    private static final AtomicLong NUMBER = new AtomicLong();

    private final String url =
            "jdbc:h2:mem:simulation-" + NUMBER.incrementAndGet() + ";DB_CLOSE_DELAY=-1;LOCK_TIMEOUT=1";
    private final Deque<Raw> idle = new ArrayDeque<>();
    private final List<String> tables = new ArrayList<>();
    private final Raw own;
    private final ExecutorService threads = Executors.newCachedThreadPool(task -> {
        Thread thread = new Thread(task, "simulation");
        thread.setDaemon(true);
        return thread;
    });

    Stage() throws SQLException {
        own = new Raw(DriverManager.getConnection(url, "sa", ""));
        JdbcDataSource source = new JdbcDataSource();
        source.setURL(url);
        source.setUser("sa");
        Turno.open(source, TurnoOptions.defaults()).close();
        try (Statement statement = own.connection().createStatement();
                ResultSet names = statement.executeQuery(
                        "select table_name from information_schema.tables"
                                + " where table_schema = 'PUBLIC' and table_type = 'BASE TABLE' and table_name <> 'TURNO_SCHEMA'")) {
            while (names.next()) {
                tables.add(names.getString(1));
            }
        }
        try (Statement statement = own.connection().createStatement()) {
            statement.execute("set referential_integrity false");
        }
    }

    ExecutorService threads() {
        return threads;
    }

    void empty() throws SQLException {
        for (String table : tables) {
            own.prepare("delete from " + table).executeUpdate();
        }
    }

    Raw borrow() throws SQLException {
        Raw raw = idle.poll();
        return raw != null ? raw : new Raw(DriverManager.getConnection(url, "sa", ""));
    }

    void giveBack(Raw raw) {
        idle.push(raw);
    }

    /** What the database says, seen from outside: the first column of each row and its second one, as texts. */
    Map<String, String> look(String sql) throws SQLException {
        Map<String, String> found = new HashMap<>();
        try (ResultSet rows = own.prepare(sql).executeQuery()) {
            while (rows.next()) {
                found.put(rows.getString(1), rows.getString(2));
            }
        }
        return found;
    }

    @Override
    public void close() throws SQLException {
        threads.shutdown();
        for (Raw raw : idle) {
            raw.connection().close();
        }
        try (Statement statement = own.connection().createStatement()) {
            statement.execute("shutdown");
        }
    }
}
