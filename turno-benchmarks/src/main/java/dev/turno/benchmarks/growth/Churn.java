package dev.turno.benchmarks.growth;

import dev.turno.Turno;
import dev.turno.TurnoOptions;
import dev.turno.claim.Result;
import dev.turno.inbox.Inbox;
import dev.turno.inbox.NewMessage;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.LongStream;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/** Puts, takes and finishes at full speed, with about ten thousand messages waiting all the time. */
final class Churn {

    private static final int BACKLOG = 10_000;
    private static final int PUT_AT_ONCE = 1_000;

    private final DataSource source;
    private final LongAdder handled = new LongAdder();
    private final AtomicBoolean stopped = new AtomicBoolean();
    private final AtomicReference<@Nullable RuntimeException> failure = new AtomicReference<>();
    private long put;

    Churn(DataSource source) {
        this.source = source;
    }

    /** Answers how many messages a second were handled in each of the windows. */
    List<Double> run(int windows, Duration window) throws InterruptedException {
        List<Double> rates = new ArrayList<>();
        try (Turno turno = Turno.start(source, TurnoOptions.defaults())) {
            Inbox inbox = turno.inbox(Growth.INBOX);
            put(inbox, BACKLOG);
            turno.handle(inbox, (message, turn) -> {
                handled.increment();
                return Result.done();
            });
            Thread putter = new Thread(() -> keepPutting(inbox), "churn-put");
            putter.start();
            for (int i = 0; i < windows; i++) {
                rates.add(rateOver(window));
            }
            stopped.set(true);
            putter.join();
        }
        RuntimeException failed = failure.get();
        if (failed != null) {
            throw failed;
        }
        return rates;
    }

    private double rateOver(Duration window) throws InterruptedException {
        long started = System.nanoTime();
        long before = handled.sum();
        Thread.sleep(window.toMillis());
        return (handled.sum() - before) * 1e9 / (System.nanoTime() - started);
    }

    private void keepPutting(Inbox inbox) {
        try {
            while (!stopped.get()) {
                if (put - handled.sum() < BACKLOG) {
                    put(inbox, PUT_AT_ONCE);
                } else {
                    LockSupport.parkNanos(Duration.ofMillis(1).toNanos());
                }
            }
        } catch (RuntimeException e) {
            failure.set(e);
        }
    }

    private void put(Inbox inbox, int count) {
        inbox.putAll(LongStream.range(put, put + count)
                .mapToObj(number -> NewMessage.of("c-" + number, "{\"order\":" + number + "}"))
                .toList());
        put += count;
    }
}
