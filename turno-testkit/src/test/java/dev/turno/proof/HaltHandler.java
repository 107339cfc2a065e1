package dev.turno.proof;

import dev.turno.claim.Result;
import dev.turno.claim.Turn;
import dev.turno.inbox.InboxHandler;
import dev.turno.inbox.Message;
import java.sql.SQLException;

/** Writes down that it began, and for some messages takes the whole process with it. */
final class HaltHandler implements InboxHandler {

    static final String POISON = "poison";
    static final int HALTED = 9;

    private static final long DIES_AFTER_MS = 200;
    private static final long WORKS_MS = 10;

    private final Ledger ledger;
    private final String node;

    HaltHandler(Ledger ledger, String node) {
        this.ledger = ledger;
        this.node = node;
    }

    @Override
    public Result handle(Message message, Turn turn) throws SQLException, InterruptedException {
        ledger.write(Ledger.Entry.now(message, turn, node));
        if (message.id().startsWith(POISON)) {
            Thread.sleep(DIES_AFTER_MS);
            Runtime.getRuntime().halt(HALTED);
        }
        Thread.sleep(WORKS_MS);
        return Result.done();
    }
}
