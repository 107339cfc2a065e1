package dev.turno.proof;

import dev.turno.Turno;
import dev.turno.TurnoOptions;
import dev.turno.inbox.Inbox;
import dev.turno.inbox.InboxHandler;
import dev.turno.inbox.InboxOptions;
import dev.turno.testkit.process.ParentWatch;
import dev.turno.worker.Backoff;
import dev.turno.worker.FinishMode;
import java.time.Duration;
import java.util.Locale;
import java.util.concurrent.atomic.AtomicInteger;
import javax.sql.DataSource;

/**
 * One instance of an application, in a process of its own. Started with {@link Wishes}; then obeys, line by line:
 *
 * <ul>
 *   <li>{@code handle INBOX}: begins to handle it, in the way that {@code does=} says;
 *   <li>{@code open}: lets the handlers go that wait at the gate;
 *   <li>{@code take INBOX}: takes one message by hand and says how long that took;
 *   <li>{@code put INBOX COUNT}: puts so many, from several threads, and says each id when it was stored;
 *   <li>{@code count NAME}: says what was counted under that name.
 * </ul>
 */
final class ProofNode {

    static final String READY = "ready";

    private static final int PUTTING_THREADS = 4;
    private static final Backoff QUICK = Backoff.exponential(Duration.ofMillis(50), Duration.ofSeconds(1));

    private enum Does {
        NOTHING,
        CALL,
        GATE,
        HALT,
        WRITE
    }

    private final Wishes wishes;
    private final DataSource source;
    private final Turno turno;
    private final InboxHandler handler;

    private ProofNode(Wishes wishes) {
        this.wishes = wishes;
        this.source = pool(12);
        this.handler = handler();
        this.turno = Turno.start(
                source,
                TurnoOptions.defaults().withNode(wishes.text("node")).withLease(wishes.millis("lease", Stage.LEASE)));
    }

    public static void main(String[] words) throws InterruptedException {
        var wishes = Wishes.of(words);
        var node = new ProofNode(wishes);
        ParentWatch.exitWithParent(node::hear);
        wishes.find("inbox").ifPresent(node::handle);
        System.out.println(READY);
        Thread.currentThread().join();
    }

    private InboxHandler handler() {
        String node = wishes.text("node");
        return switch (does()) {
            case NOTHING ->
                (message, turn) -> {
                    throw new IllegalStateException("Nothing was to be handled here.");
                };
            case CALL -> new CallHandler(wishes.number("service", 0), node);
            case GATE -> new GateHandler(ledger(), node);
            case HALT -> new HaltHandler(ledger(), node);
            case WRITE -> new WriteHandler(source, node);
        };
    }

    private Does does() {
        return Does.valueOf(wishes.find("does").orElse("nothing").toUpperCase(Locale.ROOT));
    }

    private Ledger ledger() {
        return new Ledger(pool(1));
    }

    private DataSource pool(int connections) {
        return Pools.openPatiently(wishes.text("url"), wishes.text("user"), wishes.text("password"), connections);
    }

    private void hear(String line) {
        String[] words = line.split(" ", -1);
        switch (words[0]) {
            case "handle" -> handle(words[1]);
            case "open" -> open();
            case "take" -> take(words[1]);
            case "put" -> put(words[1], Integer.parseInt(words[2]));
            case "count" -> System.out.println(line + " " + turno.counters().count(words[1]));
            default -> throw new IllegalArgumentException("What is '" + line + "'?");
        }
    }

    private void handle(String inbox) {
        turno.handle(turno.inbox(inbox, options()), handler);
    }

    private InboxOptions options() {
        return InboxOptions.of(options -> options.threads(wishes.number("threads", 8))
                .maxAttempts(wishes.number("attempts", 10))
                .backoff(QUICK)
                .finish(does() == Does.WRITE ? FinishMode.IN_TRANSACTION : FinishMode.BATCHED));
    }

    private void open() {
        if (handler instanceof GateHandler gate) {
            gate.open();
        }
    }

    private void take(String inbox) {
        Inbox rows = turno.inbox(inbox);
        long before = System.nanoTime();
        int taken = rows.take(turno.holder(), 1).size();
        System.out.println("took " + taken + " " + (System.nanoTime() - before) / 1_000);
    }

    private void put(String inbox, int count) {
        Inbox target = turno.inbox(inbox);
        var next = new AtomicInteger();
        for (int i = 0; i < PUTTING_THREADS; i++) {
            new Thread(() -> put(target, next, count), "put-" + i).start();
        }
    }

    private static void put(Inbox target, AtomicInteger next, int count) {
        for (int n = next.getAndIncrement(); n < count; n = next.getAndIncrement()) {
            target.put("m" + n, "{}");
            System.out.println("stored m" + n);
        }
    }
}
