package dev.turno.proof;

import dev.turno.claim.Result;
import dev.turno.claim.Turn;
import dev.turno.inbox.InboxHandler;
import dev.turno.inbox.Message;
import java.sql.SQLException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * Writes down that it began and waits until the gate opens. At the first attempt it waits no longer than the body says, in
 * milliseconds. Told that its claim is lost, it says so and insists on its result all the same.
 */
final class GateHandler implements InboxHandler {

    static final long FOR_EVER = TimeUnit.HOURS.toMillis(1);

    private final CountDownLatch gate = new CountDownLatch(1);
    private final Ledger ledger;
    private final String node;

    GateHandler(Ledger ledger, String node) {
        this.ledger = ledger;
        this.node = node;
    }

    void open() {
        gate.countDown();
    }

    @Override
    public Result handle(Message message, Turn turn) throws SQLException {
        ledger.write(Ledger.Entry.now(message, turn, node));
        try {
            long most = turn.attempt() == 1 ? Long.parseLong(message.body()) : FOR_EVER;
            var unused = gate.await(most, TimeUnit.MILLISECONDS);
        } catch (InterruptedException told) {
            System.out.println(told(message.id(), turn.isLost()));
        }
        return Result.done();
    }

    /** What a handler prints that was interrupted. */
    static String told(String id, boolean lost) {
        return "told " + id + " lost=" + lost;
    }
}
