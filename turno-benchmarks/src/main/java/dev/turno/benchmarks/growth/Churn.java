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

/** Puts, takes and finishes at full speed, with as many messages waiting all the time as there are at the beginning. */
final class Churn {

    private static final int PUT_AT_ONCE = 1_000;
    private static final Duration TO_SETTLE = Duration.ofSeconds(1);

    private final DataSource source;
    private final LongAdder handled = new LongAdder();
    private final AtomicReference<@Nullable RuntimeException> failure = new AtomicReference<>();
    private long put;

    Churn(DataSource source) {
        this.source = source;
    }

    /** How many messages were handled so far. */
    long handled() {
        return handled.sum();
    }

    /** Answers how many messages a second were handled in each of the windows. Can be called again, to go on. */
    List<Double> run(int windows, Duration window) throws InterruptedException {
        List<Double> rates = new ArrayList<>();
        AtomicBoolean stopped = new AtomicBoolean();
        try (Turno turno = Turno.start(source, TurnoOptions.defaults())) {
            Inbox inbox = turno.inbox(Rows.INBOX);
            turno.handle(inbox, (message, turn) -> {
                handled.increment();
                return Result.done();
            });
            Thread putter = new Thread(() -> keepPutting(inbox, stopped), "churn-put");
            putter.start();
            Thread.sleep(Math.min(TO_SETTLE.toMillis(), window.toMillis()));
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

    private void keepPutting(Inbox inbox, AtomicBoolean stopped) {
        try {
            while (!stopped.get()) {
                if (put < handled.sum()) {
                    put(inbox);
                } else {
                    LockSupport.parkNanos(Duration.ofMillis(1).toNanos());
                }
            }
        } catch (RuntimeException e) {
            failure.set(e);
        }
    }

    private void put(Inbox inbox) {
        inbox.putAll(LongStream.range(put, put + PUT_AT_ONCE)
                .mapToObj(number -> NewMessage.of("c-" + number, "{\"order\":" + number + "}"))
                .toList());
        put += PUT_AT_ONCE;
    }
}
