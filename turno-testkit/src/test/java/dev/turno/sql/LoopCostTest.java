package dev.turno.sql;

import static org.assertj.core.api.Assertions.assertThat;

import dev.turno.Turno;
import dev.turno.TurnoOptions;
import dev.turno.testkit.database.FreshDatabase;
import dev.turno.testkit.database.OnEveryDatabase;
import dev.turno.testkit.database.TestDatabase;
import dev.turno.time.Time;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/**
 * What the loops ask must not read what is finished. Left to themselves MariaDB and H2 read it, and a locking statement then keeps all
 * others waiting, the longer the more was ever done. PostgreSQL has it in no index that is read by most: see {@link TakePlanTest}.
 */
@OnEveryDatabase
class LoopCostTest {

    private static final int FINISHED = 20_000;
    private static final int WAITING = 20;
    private static final int MOST = 1_000;

    private static final Pattern SCANNED = Pattern.compile("scanCount: (\\d+)");

    private static final String READ_BY_POSTGRESQL =
            "select relname, coalesce(seq_tup_read, 0) + coalesce(idx_tup_fetch, 0) from pg_stat_xact_user_tables";

    private static final String[] ASKED = {
        "inbox.take-classes",
        "inbox.take-find",
        "inbox.until-next",
        "inbox.give-back-unknown-find",
        "inbox.free-find",
        "inbox.prune-find",
        "inbox.next-in-lane",
        "task.take-classes",
        "task.take-find",
        "task.until-next",
        "task.open-ahead",
        "task.share-counts",
        "task.crowded",
        "task.free-share-find",
        "task.look",
        "task.give-back-unknown-find",
        "task.free-find",
        "task.prune-find",
        "task.next-in-lane",
        "lane.forget-find",
        "run.take-find",
        "run.until-next",
        "run.give-back-unknown-find",
        "run.free-find",
        "buffer.take-find",
        "buffer.stuck",
        "buffer.until-next",
        "buffer.give-back-unknown-find",
    };

    private static final String[] ASKED_OF_POSTGRESQL = {"inbox.next-in-lane", "task.next-in-lane", "lane.forget"};

    private final FreshDatabase database;

    LoopCostTest(FreshDatabase database) {
        this.database = database;
    }

    @Test
    void what_the_loops_ask_does_not_read_what_is_finished() throws SQLException {
        try (Turno turno = Turno.open(database.dataSource(), TurnoOptions.defaults())) {
            turno.inbox("orders").put("first", "{}");
            turno.buffers("buffer").add("first", "hello");
            turno.tasks().canRun("type", turno.holder());
            long holder = turno.holder().value();
            fill(holder);

            Map<String, Long> tooMuch = new TreeMap<>();
            Database open = Database.open(database.dataSource(), Time.ofDatabase(), Duration.ofSeconds(30));
            try (Connection connection = database.dataSource().getConnection()) {
                connection.setAutoCommit(false);
                for (String name : isPostgresql() ? ASKED_OF_POSTGRESQL : ASKED) {
                    long read = rowsRead(connection, open.statements().get(name), holder);
                    if (read > MOST) {
                        tooMuch.put(name, read);
                    }
                }
            }

            assertThat(tooMuch).isEmpty();
        }
    }

    private void fill(long holder) throws SQLException {
        String numbers = " from "
                + byDatabase(
                                "(select n from generate_series(1, %d) n) s",
                                "(select seq as n from seq_1_to_%d) s", "(select x as n from system_range(1, %d)) s")
                        .formatted(FINISHED + WAITING);
        String now = byDatabase("statement_timestamp()", "utc_timestamp(6)", "current_timestamp(6)");
        String earlier = byDatabase(
                "statement_timestamp() - (3600 + n) * interval '1 second'",
                "utc_timestamp(6) - interval (3600 + n) second",
                "dateadd(second, -3600 - n, current_timestamp(6))");
        String waits = "n <= " + WAITING;
        String state = either(waits, "'PENDING'", "'DONE'");
        String turnAt = either(waits, now, "null");
        String finishedAt = either(waits, "null", now);
        String endState = either(waits, "null", "'DONE'");
        String lane = either(waits, "null", "1 + mod(n, " + WAITING / 2 + ")"); // the other half of the lanes is unused
        try (Connection connection = database.dataSource().getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute(
                    "insert into turno_lane (kind, scope_id, lane, next_seq, used_at) select 'inbox', 1, concat('l', n), 1, "
                            + earlier + numbers + " where " + waits);
            statement.execute(
                    "insert into turno_inbox (inbox_id, message_id, class, state, turn_at, finished_at, end_state, lane_id,"
                            + " lane_seq, holder, put_at, body) select 1,"
                            + String.join(
                                    ", ",
                                    "concat('m', n)",
                                    "4",
                                    state,
                                    turnAt,
                                    finishedAt,
                                    endState,
                                    lane,
                                    "n",
                                    "1",
                                    now,
                                    "'body'")
                            + numbers);
            statement.execute(
                    "insert into turno_task (type_id, class, lane_id, state, task_at, turn_at, finished_at, end_state, holder,"
                            + " assigned_to, put_at, body) select 1, 4, " + lane + ", "
                            + String.join(
                                    ", ",
                                    state,
                                    earlier,
                                    turnAt,
                                    finishedAt,
                                    endState,
                                    "1",
                                    either(waits, "null", "" + holder),
                                    now,
                                    "'body'")
                            + numbers);
            statement.execute(
                    "insert into turno_run (scope_id, submitted_at, not_before, lanes_ahead, state, turn_at, finished_at,"
                            + " end_state, holder, incremental, job, lanes, parameters, chain) select 1, "
                            + String.join(
                                    ", ",
                                    now,
                                    now,
                                    "0",
                                    state,
                                    turnAt,
                                    finishedAt,
                                    endState,
                                    "1",
                                    "false",
                                    "'job'",
                                    "''",
                                    "''",
                                    "''")
                            + numbers);
            statement.execute(
                    "insert into turno_buffer (buffer_id, state, seq, waiting_bytes, turn_at, idle_at, holder, buffer_key) select 1, "
                            + String.join(
                                    ", ",
                                    either(waits, "'PENDING'", "'IDLE'"),
                                    "1",
                                    "0",
                                    turnAt,
                                    finishedAt,
                                    "1",
                                    "concat('k', n)")
                            + numbers);
            statement.execute(byDatabase(
                    "analyze",
                    "analyze table turno_lane, turno_inbox, turno_task, turno_run, turno_buffer",
                    "analyze"));
        }
    }

    private boolean isPostgresql() {
        return database.kind() == TestDatabase.POSTGRESQL;
    }

    private String byDatabase(String postgresql, String mariadb, String h2) {
        return switch (database.kind()) {
            case POSTGRESQL -> postgresql;
            case MARIADB -> mariadb;
            case H2 -> h2;
        };
    }

    private static String either(String condition, String then, String otherwise) {
        return "case when " + condition + " then " + then + " else " + otherwise + " end";
    }

    private long rowsRead(Connection connection, Statements.Parsed parsed, long holder) throws SQLException {
        boolean h2 = database.kind() == TestDatabase.H2;
        long before = h2 ? 0 : rowsRead(connection);
        long scanned = 0;
        try (PreparedStatement prepared = connection.prepareStatement((h2 ? "explain analyze " : "") + parsed.text())) {
            for (int i = 0; i < parsed.parameters().size(); i++) {
                prepared.setObject(
                        i + 1, valueOf(connection, parsed.parameters().get(i), holder));
            }
            prepared.execute();
            scanned = h2 ? scanned(prepared) : 0;
        }
        long read = h2 ? scanned : rowsRead(connection) - before;
        connection.rollback();
        return read;
    }

    /** The plan says for each table how many rows it has looked at. */
    private static long scanned(PreparedStatement explained) throws SQLException {
        long scanned = 0;
        try (ResultSet plan = explained.getResultSet()) {
            plan.next();
            Matcher counts = SCANNED.matcher(plan.getString(1));
            while (counts.find()) {
                scanned += Long.parseLong(counts.group(1));
            }
        }
        return scanned;
    }

    /** Lists travel as arrays to H2, and as JSON to MariaDB. */
    private Object list(Connection connection, String json, Object... values) throws SQLException {
        return database.kind() == TestDatabase.H2 ? connection.createArrayOf("bigint", values) : json;
    }

    private Object valueOf(Connection connection, String parameter, long holder) throws SQLException {
        return switch (parameter) {
            case "inbox", "type", "buffer", "scope", "lane" -> 1;
            case "class" -> 4;
            case "holder" -> holder;
            case "limit" -> 50;
            case "kind" -> "inbox";
            case "age_us" -> 600_000_000L;
            case "in_slots" -> false;
            case "state" -> "DONE";
            case "v", "v_id", "v_fence", "known", "ids" -> list(connection, "[]");
            case "holders" -> list(connection, "[" + holder + "]", holder);
            case "jobs" ->
                database.kind() == TestDatabase.H2
                        ? connection.createArrayOf("varchar", new Object[] {"job"})
                        : "[\"job\"]";
            case "margin_us", "after_us", "from_us" -> 0L;
            case "window_us", "ahead_us" -> 60_000_000L;
            case "to_us" -> 4_000_000_000_000_000L;
            case "keep_us" -> 600_000_000L;
            default -> throw new AssertionError("There is no value for :" + parameter);
        };
    }

    private long rowsRead(Connection connection) throws SQLException {
        long read = 0;
        try (Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(
                        isPostgresql() ? READ_BY_POSTGRESQL : "show session status like 'Handler_read%'")) {
            while (row.next()) {
                read += row.getLong(2);
            }
        }
        return read;
    }
}
