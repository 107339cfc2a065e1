package dev.turno.proof;

import dev.turno.Turno;
import dev.turno.TurnoOptions;
import dev.turno.buffer.BufferOptions;
import dev.turno.buffer.Burst;
import dev.turno.claim.DatabaseAwayException;
import dev.turno.claim.Result;
import dev.turno.claim.Turn;
import dev.turno.testkit.process.ParentWatch;
import java.sql.SQLException;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;
import javax.sql.DataSource;

/**
 * One instance of an application that hands bursts over to the {@link Gateway}, in a process of its own. Started with {@link Wishes}:
 * {@code crash-within}, within how many hand-overs it dies, between the gateway's answer and the finish; {@code work}, how long the gateway takes.
 */
final class BufferNode {

    static final String READY = "ready";
    static final String BUFFER = "whatsapp";
    static final int HALTED = 9;

    private final Wishes wishes;
    private final Gateway gateway;
    private final AtomicInteger calls = new AtomicInteger();
    private final int crashAfter;

    private BufferNode(Wishes wishes) {
        this.wishes = wishes;
        this.gateway = new Gateway(pool(wishes.number("threads", 3)));
        int most = wishes.number("crash-within", 0);
        this.crashAfter = most == 0 ? 0 : ThreadLocalRandom.current().nextInt(1, most + 1);
        Turno turno = start();
        turno.handle(turno.buffers(BUFFER, options(wishes)), this::handOver);
    }

    /** On a busy machine the first connection may take longer than the pool waits. */
    private Turno start() {
        DataSource source = pool(8);
        TurnoOptions options =
                TurnoOptions.defaults().withNode(wishes.text("node")).withLease(wishes.millis("lease", Stage.LEASE));
        for (int tries = 1; ; tries++) {
            try {
                return Turno.start(source, options);
            } catch (DatabaseAwayException busy) {
                if (tries == 20) {
                    throw busy;
                }
            }
        }
    }

    static BufferOptions options(Wishes wishes) {
        return BufferOptions.of(o -> o.quiet(wishes.millis("quiet", Stage.POLL))
                .threads(wishes.number("threads", 3))
                .maxAttempts(1_000));
    }

    private DataSource pool(int connections) {
        return Pools.open(wishes.text("url"), wishes.text("user"), wishes.text("password"), Math.min(connections, 20));
    }

    public static void main(String[] words) throws InterruptedException {
        ParentWatch.exitWithParent(line -> {});
        var node = new BufferNode(Wishes.of(words));
        System.out.println(READY + " " + node.wishes.text("node"));
        Thread.currentThread().join();
    }

    private Result handOver(Burst burst, Turn turn) throws SQLException, InterruptedException {
        int work = wishes.number("work", 0);
        Thread.sleep(work == 0 ? 0 : ThreadLocalRandom.current().nextInt(work * 3 / 4, work * 5 / 4));
        gateway.call(burst, turn, wishes.text("node"));
        if (calls.incrementAndGet() == crashAfter) {
            Runtime.getRuntime().halt(HALTED);
        }
        return Result.done();
    }
}
