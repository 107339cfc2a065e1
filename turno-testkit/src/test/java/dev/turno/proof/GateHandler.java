package dev.turno.proof;

import dev.turno.claim.Result;
import dev.turno.claim.Turn;
import dev.turno.inbox.InboxHandler;
import dev.turno.inbox.Message;
import java.sql.SQLException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * Writes down that it began and waits until the gate opens. Told that its claim is lost, it says so and insists on its result
 * all the same. A {@link #HURRIED} one also ends by itself when it finds that its process was frozen, perhaps before anybody
 * could tell it.
 */
final class GateHandler implements InboxHandler {

    static final String PATIENT = "patient";
    static final String HURRIED = "hurried";

    private static final long LOOK_EVERY_MS = 200;

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
            await(message.body().equals(HURRIED));
        } catch (InterruptedException told) {
            System.out.println(told(message.id(), turn.isLost()));
        }
        return Result.done();
    }

    private void await(boolean hurried) throws InterruptedException {
        long lookedAt = System.nanoTime();
        while (!gate.await(LOOK_EVERY_MS, TimeUnit.MILLISECONDS)) {
            boolean frozen = System.nanoTime() - lookedAt > Stage.LEASE.toNanos();
            if (hurried && frozen) {
                return;
            }
            lookedAt = System.nanoTime();
        }
    }

    /** What a handler prints that was interrupted. */
    static String told(String id, boolean lost) {
        return "told " + id + " lost=" + lost;
    }
}
