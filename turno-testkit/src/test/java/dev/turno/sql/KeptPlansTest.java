package dev.turno.sql;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariDataSource;
import dev.turno.Turno;
import dev.turno.TurnoOptions;
import dev.turno.buffer.Buffers;
import dev.turno.claim.Claim;
import dev.turno.claim.ClaimableRows;
import dev.turno.claim.Finish;
import dev.turno.claim.Taken;
import dev.turno.claim.Verdict;
import dev.turno.inbox.Inbox;
import dev.turno.inbox.InboxOptions;
import dev.turno.inbox.Message;
import dev.turno.inbox.NewMessage;
import dev.turno.task.NewTask;
import dev.turno.task.TaskOptions;
import dev.turno.testkit.database.FreshDatabase;
import dev.turno.testkit.database.OnDatabase;
import dev.turno.testkit.database.TestDatabase;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** PostgreSQL plans a statement anew at each call if it expects to gain by its values. For what is called for each item that costs more than the rest. */
@OnDatabase(TestDatabase.POSTGRESQL)
class KeptPlansTest {

    private static final int ROUNDS = 20;
    private static final int ROWS = 5_000;
    private static final int TRIED_BEFORE_ONE_IS_KEPT = 5;

    private final FreshDatabase database;

    KeptPlansTest(FreshDatabase database) {
        this.database = database;
    }

    @Test
    void what_is_called_for_each_item_keeps_its_plan() throws SQLException {
        try (HikariDataSource pool = database.newPool(database.url(), 1);
                Turno turno = Turno.open(pool, TurnoOptions.defaults())) {
            Inbox kept = turno.inbox("kept");
            Inbox gone = turno.inbox("gone", InboxOptions.of(choices -> choices.keepNone()));
            Buffers buffers = turno.buffers("buffer");
            fill(turno, kept);
            execute(pool, """
                    insert into turno_buffer (buffer_id, state, seq, waiting_bytes, turn_at, next_at, latest_at, buffer_key)
                    select b.id, 'PENDING', 1, 2, now() + interval '1 day', now() + interval '1 day', now() + interval '2 days', 'waiting-' || n
                      from turno_buffer_setting b, generate_series(1, 5000) n""");
            execute(pool, "analyze");
            for (int i = 0; i < ROUNDS; i++) {
                String id = "m" + i;
                for (Inbox inbox : List.of(kept, gone)) {
                    inbox.put(id, "{}");
                    finish(turno, pool, inbox.rows(), i % 2 == 0);
                    inbox.put(id + " again", "{}");
                    commit(turno, pool, inbox);
                }
                buffers.add("key" + i, "hello");
                buffers.flush("key" + i);
                finish(turno, pool, buffers.rows(), i % 2 == 0);
                turno.tasks().schedule(NewTask.in("type", "{}", Duration.ZERO));
                finish(turno, pool, turno.tasks().rows("type", TaskOptions.defaults()), i % 2 == 0);
            }

            assertThat(planned(pool)).isEmpty();
        }
    }

    /** Others wait until tomorrow: on an empty table every plan costs the same. */
    private static void fill(Turno turno, Inbox inbox) {
        turno.tasks().canRun("type", turno.holder());
        inbox.putAll(IntStream.range(0, ROWS)
                .mapToObj(n -> NewMessage.of("waiting-" + n, "{}").after(Duration.ofDays(1)))
                .toList());
        turno.tasks()
                .scheduleAll(IntStream.range(0, ROWS)
                        .mapToObj(n -> NewTask.in("type", "{}", Duration.ofDays(1)))
                        .toList());
    }

    private static void commit(Turno turno, HikariDataSource pool, Inbox inbox) throws SQLException {
        Taken<Message> taken = inbox.rows().take(turno.holder(), 10).get(0);
        try (Connection connection = pool.getConnection()) {
            connection.setAutoCommit(false);
            assertThat(inbox.rows().commit(connection, turno.holder(), taken)).contains(new Finish.Kept());
        }
    }

    private static void finish(Turno turno, HikariDataSource pool, ClaimableRows<?> rows, boolean inTransaction)
            throws SQLException {
        Claim claim = rows.take(turno.holder(), 10).get(0).claim();
        if (inTransaction) {
            try (Connection connection = pool.getConnection()) {
                connection.setAutoCommit(false);
                rows.finishIn(connection, turno.holder(), claim);
                connection.commit();
            }
            rows.finish(turno.holder(), List.of(new Verdict.Settle(claim, Duration.ZERO, "")));
        } else {
            rows.finish(turno.holder(), List.of(new Verdict.Done(claim)));
        }
    }

    /** The pool has one connection, so all statements are its own. */
    private static List<String> planned(HikariDataSource pool) throws SQLException {
        List<String> statements = new ArrayList<>();
        try (Connection connection = pool.getConnection();
                Statement statement = connection.createStatement();
                ResultSet result =
                        statement.executeQuery("select custom_plans, statement from pg_prepared_statements")) {
            while (result.next()) {
                if (result.getInt(1) > TRIED_BEFORE_ONE_IS_KEPT) {
                    statements.add(result.getString(2));
                }
            }
        }
        return statements;
    }

    private static void execute(HikariDataSource pool, String sql) throws SQLException {
        try (Connection connection = pool.getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }
}
