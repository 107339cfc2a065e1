package dev.turno.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.turno.claim.Result;
import dev.turno.inbox.Inbox;
import dev.turno.inbox.InboxOptions;
import dev.turno.inbox.NewMessage;
import dev.turno.testkit.database.FreshDatabase;
import dev.turno.testkit.database.OnEveryDatabase;
import dev.turno.testkit.node.Cluster;
import dev.turno.testkit.node.Node;
import dev.turno.worker.Backoff;
import dev.turno.worker.FinishMode;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A finish that fails before its commit, in a transaction that goes on. */
@OnEveryDatabase
class RefusedCommitTest {

    private static final Duration SOON = Duration.ofSeconds(60);

    private final FreshDatabase database;
    private final Cluster cluster;
    private final Effects effects;

    RefusedCommitTest(FreshDatabase database) {
        this.database = database;
        this.cluster = Cluster.running(database);
        this.effects = new Effects(database.dataSource());
    }

    @AfterEach
    void close() {
        cluster.close();
    }

    @Test
    void what_the_handler_wrote_does_not_come_with_the_next_commit_of_its_connection() throws SQLException {
        effects.execute("create table effect (attempt int)");
        TrickySource way = new TrickySource(database.dataSource());
        InboxOptions options = InboxOptions.of(
                choices -> choices.backoff(Backoff.exponential(Duration.ofMillis(50), Duration.ofMillis(50)))
                        .finish(FinishMode.IN_TRANSACTION));
        Node node = cluster.node("a");
        Inbox inbox = node.inbox("orders", options);
        inbox.put("one", "{}");

        node.turno().handle(inbox, (message, turn) -> {
            try (Connection connection = way.source().getConnection()) {
                connection.setAutoCommit(false);
                Effects.leave(connection, turn.attempt());
                if (turn.attempt() == 1) {
                    way.refuseMyNext("turno_inbox");
                }
                try {
                    turn.commit(connection);
                } finally {
                    connection.commit();
                    connection.setAutoCommit(true);
                }
            }
            return Result.done();
        });

        await().atMost(SOON).until(() -> inbox.counts().done() == 1);
        assertThat(effects.attempts()).containsExactly(2);
    }

    @Test
    void one_that_is_refused_each_time_is_parked_with_what_was_said_the_last_time() throws SQLException {
        TrickySource way = new TrickySource(database.dataSource());
        InboxOptions options = InboxOptions.of(
                choices -> choices.backoff(Backoff.exponential(Duration.ofMillis(50), Duration.ofMillis(50)))
                        .finish(FinishMode.IN_TRANSACTION)
                        .maxAttempts(2));
        Node node = cluster.node("a");
        Inbox inbox = node.inbox("orders", options);
        inbox.putAll(List.of(
                NewMessage.of("one", "{}"),
                NewMessage.of("in-line", "{}").inOrderOf("key"),
                NewMessage.of("behind", "{}").inOrderOf("key")));

        node.turno().handle(inbox, (message, turn) -> {
            try (Connection connection = way.source().getConnection()) {
                connection.setAutoCommit(false);
                if (!message.id().equals("behind")) {
                    way.refuseMyNext("turno_inbox");
                }
                turn.commit(connection);
            }
            return Result.done();
        });

        await().atMost(SOON)
                .until(() -> inbox.counts().dead() == 2 && inbox.counts().done() == 1);
        assertThat(List.of("one", "in-line"))
                .map(id -> inbox.find(id).orElseThrow())
                .allMatch(message -> message.attempt() == 2)
                .allMatch(message -> message.error().orElse("").contains("It is refused."));
        assertThat(node.turno().counters().count("turno.dead")).isEqualTo(2);
    }
}
