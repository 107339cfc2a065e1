package dev.turno.contract;

import static org.assertj.core.api.Assertions.assertThat;

import dev.turno.claim.Claim;
import dev.turno.claim.HolderId;
import dev.turno.claim.Verdict;
import dev.turno.inbox.Inbox;
import dev.turno.inbox.InboxState;
import dev.turno.inbox.StoredMessage;
import dev.turno.testkit.database.FreshDatabase;
import dev.turno.testkit.database.OnEveryDatabase;
import dev.turno.testkit.node.Cluster;
import dev.turno.testkit.node.Node;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Walks every state with every act: no act moves a message along an arrow that the enum does not have. */
@OnEveryDatabase
class InboxStatesTest {

    @FunctionalInterface
    private interface Act {
        void on(Claim claim) throws SQLException;
    }

    private final FreshDatabase database;
    private final Cluster cluster;
    private final Node node;
    private final Inbox inbox;
    private final Map<String, Act> acts = new LinkedHashMap<>();

    InboxStatesTest(FreshDatabase database) {
        this.database = database;
        this.cluster = Cluster.stepwise(database);
        this.node = cluster.node("a");
        this.inbox = node.inbox("orders");
        HolderId holder = node.turno().holder();
        acts.put("put", claim -> inbox.put("x", "{}"));
        acts.put("take", claim -> inbox.take(holder, 1));
        acts.put("take after lapse", claim -> {
            cluster.time().forward(Duration.ofDays(1));
            inbox.take(holder, 1);
        });
        acts.put("done", claim -> finish(new Verdict.Done(claim)));
        acts.put("again", claim -> finish(new Verdict.Again(claim, Duration.ZERO, "e")));
        acts.put("dead", claim -> finish(new Verdict.Dead(claim, "e")));
        acts.put("settle", claim -> finish(new Verdict.Settle(claim, Duration.ZERO, "e")));
        acts.put("give back", claim -> inbox.rows().giveBack(holder, List.of(claim)));
        acts.put("give back unknown", claim -> inbox.rows().giveBackUnknown(holder, List.of()));
        acts.put("cancel", claim -> inbox.cancel("x"));
        acts.put("revive", claim -> inbox.revive("x"));
        acts.put("revive all", claim -> inbox.reviveAll(Optional.empty()));
        acts.put("finish in a transaction", claim -> {
            try (Connection connection = database.dataSource().getConnection()) {
                inbox.rows().finishIn(connection, holder, claim);
            }
        });
        acts.put("prune", claim -> inbox.prune());
    }

    @AfterEach
    void close() {
        cluster.close();
    }

    private void finish(Verdict verdict) {
        inbox.rows().finish(node.turno().holder(), List.of(verdict));
    }

    @Test
    void every_act_on_every_state_follows_an_arrow_and_every_arrow_is_walked() throws SQLException {
        Map<InboxState, Set<InboxState>> walked = new EnumMap<>(InboxState.class);
        for (InboxState from : InboxState.values()) {
            walked.put(from, EnumSet.noneOf(InboxState.class));
            for (Map.Entry<String, Act> act : acts.entrySet()) {
                Claim claim = bring(from);
                long fence = claim.fence();

                act.getValue().on(claim);

                StoredMessage after = inbox.find("x").orElseThrow();
                boolean moved = after.state() != from || after.fence() != fence;
                if (moved) {
                    walked.get(from).add(after.state());
                    assertThat(from.next())
                            .as("%s on %s made it %s", act.getKey(), from, after.state())
                            .contains(after.state());
                }
                assertThat(after.fence())
                        .as("fence after %s on %s", act.getKey(), from)
                        .isGreaterThanOrEqualTo(fence);
                boolean over = after.state() != InboxState.PENDING && after.state() != InboxState.DOING;
                assertThat(after.turnAt().isEmpty())
                        .as("turn after %s on %s", act.getKey(), from)
                        .isEqualTo(over);
            }
        }
        for (InboxState from : InboxState.values()) {
            assertThat(walked.get(from)).as("arrows from %s", from).isEqualTo(from.next());
        }
    }

    /** A fresh message in this state, with the claim that led there. */
    private Claim bring(InboxState state) throws SQLException {
        execute("delete from turno_inbox");
        inbox.put("x", "{}");
        if (state == InboxState.PENDING) {
            return new Claim(rowId(), 0);
        }
        if (state == InboxState.CANCELLED) {
            inbox.cancel("x");
            return new Claim(rowId(), 0);
        }
        Claim claim = node.takeOne("orders").claim();
        if (state == InboxState.DONE) {
            finish(new Verdict.Done(claim));
        } else if (state == InboxState.DEAD) {
            finish(new Verdict.Dead(claim, "e"));
        }
        return claim;
    }

    private long rowId() throws SQLException {
        try (Connection connection = database.dataSource().getConnection();
                Statement statement = connection.createStatement();
                ResultSet result = statement.executeQuery("select id from turno_inbox")) {
            assertThat(result.next()).isTrue();
            return result.getLong(1);
        }
    }

    private void execute(String sql) throws SQLException {
        try (Connection connection = database.dataSource().getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }
}
