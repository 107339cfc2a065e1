package dev.turno.benchmarks.throughput;

import com.zaxxer.hikari.HikariDataSource;
import dev.turno.Turno;
import dev.turno.claim.Result;
import dev.turno.claim.Turn;
import dev.turno.inbox.Inbox;
import dev.turno.inbox.InboxOptions;
import dev.turno.inbox.Message;
import dev.turno.testkit.database.FreshDatabase;
import dev.turno.worker.FinishMode;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;

/**
 * One node whose handlers finish their message in a transaction of their own.
 *
 * @param stores a row in the same transaction
 */
record TurnoTransactions(String who, boolean keep, boolean stores) implements Contestant {

    /** Turno's default. */
    static final int THREADS = 16;

    private static final int CONNECTIONS = THREADS + 6;

    @Override
    public void fill(FreshDatabase database, int waiting) throws SQLException {
        InboxRows.fill(database, waiting);
        OneRow.createTable(database);
    }

    @Override
    public Pass handle(FreshDatabase database, int waiting, int wanted) throws Exception {
        Tally tally = new Tally(waiting);
        try (HikariDataSource pool = database.newPool(database.url(), CONNECTIONS)) {
            PeerRunner.openAll(pool, CONNECTIONS);
            double seconds;
            try (Turno turno = Turno.start(pool)) {
                Inbox inbox = turno.inbox(InboxRows.INBOX, InboxOptions.of(this::choose));
                long started = System.nanoTime();
                turno.handle(inbox, (message, turn) -> {
                    finish(pool, message, turn);
                    tally.ran(message.id());
                    return Result.done();
                });
                PeerRunner.await(who, tally, wanted, started);
                seconds = (System.nanoTime() - started) / 1e9;
            }
            List<String> violations = InboxRows.violations(who, pool, tally, waiting, keep);
            if (stores) {
                violations.addAll(OneRow.violations(who, pool, waiting));
            }
            return new Pass(waiting, seconds, violations);
        }
    }

    private void choose(InboxOptions.Builder choices) {
        choices.threads(THREADS).finish(FinishMode.IN_TRANSACTION);
        if (!keep) {
            choices.keepNone();
        }
    }

    private void finish(HikariDataSource pool, Message message, Turn turn) throws SQLException {
        try (Connection connection = pool.getConnection()) {
            connection.setAutoCommit(false);
            if (stores) {
                OneRow.store(connection, Tally.number(message.id()));
            }
            turn.commit(connection);
        }
    }
}
