package dev.turno.server.webhook;

import dev.turno.worker.Backoff;
import java.time.Duration;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Whether a receiver is worth trying. After {@value #TOLERATED} failures in a row nothing is sent for a while; then one attempt shows
 * whether it is back. Shared by threads.
 */
final class Circuit {

    static final int TOLERATED = 10;
    private static final Logger LOG = LoggerFactory.getLogger(Circuit.class);

    private final String who;
    private final Backoff pauses;
    private final LongSupplier nanos;
    private int failures;
    private int pauseCount;
    private long closedUntil;
    private boolean trying;

    Circuit(String who, LongSupplier nanos) {
        this.who = who;
        this.nanos = nanos;
        this.pauses = Backoff.exponential(Duration.ofSeconds(1), Duration.ofMinutes(1));
    }

    synchronized boolean isReady() {
        return !isBroken() || (isPauseOver() && !trying);
    }

    private boolean isBroken() {
        return failures >= TOLERATED;
    }

    private boolean isPauseOver() {
        return nanos.getAsLong() - closedUntil >= 0;
    }

    /** An attempt begins. Each is followed by one of {@link #worked} and {@link #failed}. */
    synchronized void begin() {
        trying = isBroken();
    }

    /** The receiver is there, whatever it said. */
    synchronized void worked() {
        if (isBroken()) {
            LOG.info("{} answers again.", who);
        }
        failures = 0;
        pauseCount = 0;
        trying = false;
    }

    synchronized void failed(String why) {
        failures = Math.min(failures + 1, TOLERATED);
        // Attempts that were under way together when it broke do not make the pause longer.
        if (isBroken() && (trying || pauseCount == 0)) {
            Duration pause = pauses.after(++pauseCount);
            closedUntil = nanos.getAsLong() + pause.toNanos();
            LOG.warn(
                    "{} failed {} times in a row and is left alone for {} ms: {}",
                    who,
                    TOLERATED,
                    pause.toMillis(),
                    why);
        }
        trying = false;
    }
}
