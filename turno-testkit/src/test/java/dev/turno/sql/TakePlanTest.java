package dev.turno.sql;

import static org.assertj.core.api.Assertions.assertThat;

import dev.turno.Turno;
import dev.turno.TurnoOptions;
import dev.turno.inbox.Inbox;
import dev.turno.testkit.database.FreshDatabase;
import dev.turno.testkit.database.OnDatabase;
import dev.turno.testkit.database.TestDatabase;
import dev.turno.time.Time;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What a take costs on PostgreSQL, in pages read: it must not depend on how many rows there are. */
@OnDatabase(TestDatabase.POSTGRESQL)
class TakePlanTest {

    private static final boolean FULL = "full".equals(System.getProperty("turno.scale"));
    private static final Pattern BUFFERS = Pattern.compile("Buffers: shared hit=(\\d+)(?: read=(\\d+))?");

    private final FreshDatabase database;
    private final Turno turno;
    private final Inbox inbox;

    TakePlanTest(FreshDatabase database) {
        this.database = database;
        this.turno = Turno.open(database.dataSource(), TurnoOptions.defaults());
        this.inbox = turno.inbox("orders");
    }

    @AfterEach
    void close() {
        turno.close();
    }

    @Test
    void taking_fifty_costs_the_same_among_few_and_among_many() throws SQLException {
        int many = FULL ? 1_000_000 : 100_000;
        fill(10_000, 0);
        List<String> few = explainTake();
        execute("truncate turno_inbox");
        fill(many, many);
        List<String> lots = explainTake();

        System.out.printf(
                "PROOF take of 50: %d pages among 10,000 waiting, %d among %,d waiting and %,d finished%n",
                buffers(few), buffers(lots), many, many);
        assertThat(String.join("\n", lots))
                .contains("turno_inbox_turn")
                .doesNotContain("Seq Scan on turno_inbox ")
                .doesNotContain("Sort");
        assertThat(buffers(lots)).isLessThan(buffers(few) * 13 / 10 + 20);
    }

    @Test
    void statistics_of_a_drained_inbox_do_not_lead_to_reading_it_all() throws SQLException {
        execute("alter table turno_inbox set (autovacuum_enabled = off)");
        fill(50_000, 0);
        execute("analyze turno_inbox");
        believeItEmpty();
        long before = rowsRead();

        for (int i = 0; i < 20; i++) { // also with the plan that the server keeps for a prepared statement
            assertThat(inbox.take(turno.holder(), 50)).hasSize(50);
        }

        assertThat(rowsRead() - before).isLessThan(50_000);
    }

    /** As a vacuum leaves it that met the inbox drained: the pages are there, the rows are believed to be none. */
    private void believeItEmpty() throws SQLException {
        try (Connection superuser = DriverManager.getConnection(database.url(), "postgres", "");
                Statement statement = superuser.createStatement()) {
            assertThat(statement.executeUpdate(
                            "update pg_class set reltuples = 0, relpages = 1" + " where relname like 'turno_inbox%'"))
                    .isGreaterThan(1);
        }
    }

    private void fill(int waiting, int finished) throws SQLException {
        String insert =
                "insert into turno_inbox (inbox_id, message_id, class, state, turn_at, finished_at, end_state, put_at, body) ";
        execute(insert + "select 1, 'f' || n, 4, 'DONE', null, now(), 'DONE', now(), 'body' from generate_series(1, "
                + finished + ") n");
        execute(insert
                + "select 1, 'w' || n || random(), 4, 'PENDING', now() - interval '1 hour' + n * interval '1 ms',"
                + " null, null, now() - interval '1 hour', 'body' from generate_series(1, " + waiting + ") n");
        if (finished > 0) {
            execute("vacuum analyze turno_inbox");
        }
    }

    /** The plan of the very statement that is used, with sorting off as it has it. */
    private List<String> explainTake() throws SQLException {
        Database open = Database.open(database.dataSource(), Time.ofDatabase(), Duration.ofSeconds(30));
        Statements.Parsed take = open.statements().get("inbox.take");
        String update = take.text().substring(take.text().indexOf(';') + 1);
        try (Connection connection = database.dataSource().getConnection()) {
            connection.setAutoCommit(false);
            try (Statement statement = connection.createStatement()) {
                statement.execute("set local enable_sort = off");
            }
            List<String> plan = explain(connection, "explain (analyze, buffers) " + update, take.parameters());
            connection.rollback();
            connection.setAutoCommit(true);
            return plan;
        }
    }

    private List<String> explain(Connection connection, String sql, List<String> parameters) throws SQLException {
        List<String> plan = new ArrayList<>();
        try (PreparedStatement prepared = connection.prepareStatement(sql)) {
            for (int i = 0; i < parameters.size(); i++) {
                prepared.setObject(i + 1, valueOf(connection, parameters.get(i)));
            }
            try (ResultSet result = prepared.executeQuery()) {
                while (result.next()) {
                    plan.add(result.getString(1));
                }
            }
        }
        return plan;
    }

    private Object valueOf(Connection connection, String parameter) throws SQLException {
        return switch (parameter) {
            case "holder" -> turno.holder().value();
            case "limit" -> 50;
            case "max_run_us" -> 300_000_000L;
            case "inbox" -> 1L;
            case "in_slots" -> false;
            case "floors_us" ->
                connection.createArrayOf("int8", Collections.nCopies(10, 0L).toArray());
            default -> throw new AssertionError(parameter);
        };
    }

    private static long buffers(List<String> plan) {
        Matcher matcher = BUFFERS.matcher(String.join("\n", plan));
        assertThat(matcher.find()).isTrue();
        String read = matcher.group(2);
        return Long.parseLong(matcher.group(1)) + (read == null ? 0 : Long.parseLong(read));
    }

    /** Rows and index entries read so far; a plan that sorts reads all that is due at each take. */
    private long rowsRead() throws SQLException {
        try (Connection connection = database.dataSource().getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute("select pg_stat_force_next_flush()");
            try (ResultSet result = statement.executeQuery(
                    "select t.seq_tup_read + (select sum(i.idx_tup_read) from pg_stat_user_indexes i"
                            + " where i.relname = t.relname) from pg_stat_user_tables t where t.relname = 'turno_inbox'")) {
                assertThat(result.next()).isTrue();
                return result.getLong(1);
            }
        }
    }

    private void execute(String sql) throws SQLException {
        try (Connection connection = database.dataSource().getConnection();
                Statement statement = connection.createStatement()) {
            connection.setNetworkTimeout(Runnable::run, 0); // a million rows take their time
            statement.execute(sql);
        }
    }
}
