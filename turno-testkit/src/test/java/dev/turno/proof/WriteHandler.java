package dev.turno.proof;

import dev.turno.claim.Result;
import dev.turno.claim.Turn;
import dev.turno.inbox.InboxHandler;
import dev.turno.inbox.Message;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.concurrent.ThreadLocalRandom;
import javax.sql.DataSource;

/** Writes to the ledger and finishes in the same transaction, with pauses in which its process may die. */
final class WriteHandler implements InboxHandler {

    private static final int LONGEST_PAUSE_MS = 8;

    private final DataSource source;
    private final String node;

    WriteHandler(DataSource source, String node) {
        this.source = source;
        this.node = node;
    }

    @Override
    public Result handle(Message message, Turn turn) throws SQLException, InterruptedException {
        try (Connection connection = source.getConnection()) {
            connection.setAutoCommit(false);
            Ledger.write(connection, Ledger.Entry.now(message, turn, node));
            pause();
            turn.finishIn(connection);
            pause();
            connection.commit();
        }
        return Result.done();
    }

    private static void pause() throws InterruptedException {
        Thread.sleep(ThreadLocalRandom.current().nextInt(LONGEST_PAUSE_MS));
    }
}
