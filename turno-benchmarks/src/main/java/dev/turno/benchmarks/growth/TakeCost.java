package dev.turno.benchmarks.growth;

import dev.turno.benchmarks.server.TurnoStatement;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Collections;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.sql.DataSource;

/** How many pages a take of 50 touches: a cost that does not depend on what else the machine does. */
final class TakeCost {

    static final int LIMIT = 50;
    private static final long HOLDER = 4711;
    private static final Pattern ROWS = Pattern.compile("\"Actual Rows\": (\\d+)");
    private static final Pattern HIT = Pattern.compile("\"Shared Hit Blocks\": (\\d+)");
    private static final Pattern READ = Pattern.compile("\"Shared Read Blocks\": (\\d+)");

    private final DataSource source;
    private final TurnoStatement take = TurnoStatement.named("take");

    TakeCost(DataSource source) {
        this.source = source;
    }

    /** Registers a holder: a take asks whether its holder lives. */
    void prepare() throws SQLException {
        try (Connection connection = source.getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute("insert into turno_holder (id, namespace, node, started_at, lease_until) values ("
                    + HOLDER + ", 'default', 'explain', now(), now() + interval '1 day')");
        }
    }

    /** Of a take as nearly all are: it looks from where the last one ended. */
    int buffers() throws SQLException {
        return buffers(true);
    }

    /** Of the take that looks from the beginning of the index, as a worker does once a second. */
    int buffersFromTheBeginning() throws SQLException {
        return buffers(false);
    }

    /** Of one take that is rolled back. The plan is the one that the server keeps for a statement it was given often. */
    private int buffers(boolean fromFloor) throws SQLException {
        try (Connection connection = source.getConnection()) {
            connection.setAutoCommit(false);
            try {
                return explain(connection, fromFloor ? floor(connection) : 0);
            } finally {
                connection.rollback();
                connection.setAutoCommit(true);
            }
        }
    }

    /** Where a worker with a backlog looks from: it has just taken what was before the oldest that waits. */
    private static long floor(Connection connection) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet result =
                        statement.executeQuery("select coalesce(cast(extract(epoch from min(put_at)) * 1000000"
                                + " as bigint), 0) from turno_inbox where turn_at is not null and state = 'PENDING'")) {
            result.next();
            return result.getLong(1);
        }
    }

    private int explain(Connection connection, long floor) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute("set local plan_cache_mode = force_generic_plan; " + take.before());
        }
        Map<String, Object> values = Map.of(
                "inbox",
                inbox(connection),
                "holder",
                HOLDER,
                "limit",
                LIMIT,
                "max_run_us",
                TimeUnit.MINUTES.toMicros(5),
                "floors_us",
                Collections.nCopies(10, floor),
                "in_slots",
                false);
        String explain = "explain (analyze, buffers, format json) " + take.text();
        try (PreparedStatement prepared = connection.prepareStatement(explain)) {
            take.bind(prepared, values);
            try (ResultSet result = prepared.executeQuery()) {
                result.next();
                String plan = result.getString(1);
                requireTaken(first(ROWS, plan));
                return first(HIT, plan) + first(READ, plan);
            }
        }
    }

    private static void requireTaken(int rows) {
        if (rows != LIMIT) {
            throw new IllegalStateException("A take of " + LIMIT + " took " + rows + ": the cost of it says nothing.");
        }
    }

    /** The first number is that of the whole plan; those of its parts come after. */
    private static int first(Pattern pattern, String plan) {
        Matcher matcher = pattern.matcher(plan);
        if (!matcher.find()) {
            throw new IllegalStateException("The server explained no buffers:\n" + plan);
        }
        return Integer.parseInt(matcher.group(1));
    }

    private static long inbox(Connection connection) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet result = statement.executeQuery("select id from turno_inbox_setting")) {
            result.next();
            return result.getLong(1);
        }
    }
}
