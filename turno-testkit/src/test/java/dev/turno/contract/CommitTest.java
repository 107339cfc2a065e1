package dev.turno.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.turno.claim.Result;
import dev.turno.inbox.Inbox;
import dev.turno.inbox.InboxOptions;
import dev.turno.inbox.StoredMessage;
import dev.turno.testkit.database.FreshDatabase;
import dev.turno.testkit.database.OnDatabase;
import dev.turno.testkit.database.TestDatabase;
import dev.turno.testkit.node.Cluster;
import dev.turno.testkit.node.Node;
import dev.turno.worker.Backoff;
import dev.turno.worker.FinishMode;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Commits that fail where the finish goes to the server together with the commit: the effect of the first attempt is never there. */
@OnDatabase(TestDatabase.POSTGRESQL)
class CommitTest {

    private static final Duration SOON = Duration.ofSeconds(30);

    @FunctionalInterface
    private interface Fault {
        void before(Connection commit) throws SQLException;
    }

    private final FreshDatabase database;
    private final Cluster cluster;
    private final Effects effects;
    private final Queue<SQLException> thrown = new ConcurrentLinkedQueue<>();

    CommitTest(FreshDatabase database) {
        this.database = database;
        this.cluster = Cluster.running(database);
        this.effects = new Effects(database.dataSource());
    }

    @AfterEach
    void close() {
        cluster.close();
    }

    @Test
    void a_constraint_that_is_checked_at_the_end_refuses_it() throws SQLException {
        effects.execute("create table effect (attempt int unique deferrable initially deferred)");
        effects.execute("insert into effect values (0)");

        handle(connection -> Effects.leave(connection, 0));

        assertThat(states()).containsExactly("23505");
        assertThat(effects.attempts()).containsExactly(0, 2);
    }

    @Test
    void a_division_by_zero_of_the_application_is_not_taken_for_a_lost_claim() throws SQLException {
        effects.execute("""
                create table effect (attempt int);
                create function divide() returns trigger language plpgsql as 'begin perform 1 / (new.attempt - 1); return null; end';
                create constraint trigger divide after insert on effect
                  deferrable initially deferred for each row execute function divide()""");

        handle(connection -> {});

        assertThat(states()).containsExactly("22012");
        assertThat(effects.attempts()).containsExactly(2);
    }

    @Test
    void a_session_that_ends_before_it_does_not_commit() throws SQLException {
        effects.execute("create table effect (attempt int)");

        handle(connection -> {
            try (Statement statement = connection.createStatement();
                    ResultSet result = statement.executeQuery("select pg_backend_pid()")) {
                result.next();
                effects.execute("select pg_terminate_backend(" + result.getInt(1) + ", 10000)");
            }
        });

        assertThat(thrown).hasSize(1);
        assertThat(effects.attempts()).containsExactly(2);
    }

    /** The first attempt meets the fault, the second does not. */
    private void handle(Fault fault) {
        InboxOptions options = InboxOptions.of(
                choices -> choices.backoff(Backoff.exponential(Duration.ofMillis(50), Duration.ofMillis(50)))
                        .finish(FinishMode.IN_TRANSACTION));
        Node node = cluster.node("a");
        Inbox inbox = node.inbox("orders", options);
        inbox.put("one", "{}");
        node.turno().handle(inbox, (message, turn) -> {
            try (Connection connection = database.dataSource().getConnection()) {
                connection.setAutoCommit(false);
                Effects.leave(connection, turn.attempt());
                if (turn.attempt() == 1) {
                    fault.before(connection);
                }
                turn.commit(connection);
            } catch (SQLException e) {
                thrown.add(e);
                throw e;
            }
            return Result.done();
        });
        await().atMost(SOON).until(() -> inbox.counts().done() == 1);
        assertThat(inbox.find("one").map(StoredMessage::attempt)).contains(2);
    }

    private List<String> states() {
        return thrown.stream().map(SQLException::getSQLState).toList();
    }
}
