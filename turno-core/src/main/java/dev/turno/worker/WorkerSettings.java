package dev.turno.worker;

import java.time.Duration;

/**
 * How a worker works.
 *
 * @param threads handlers at once in this process
 * @param virtual on virtual threads, where the runtime has them
 * @param batch the most rows taken or finished in one statement
 * @param maxRun how long a handler may run before it is interrupted and its claim lapses
 * @param maxAttempts after so many the item is parked as DEAD
 * @param poll the pause between looks when nothing happens
 */
public record WorkerSettings(
        int threads,
        boolean virtual,
        int batch,
        Duration maxRun,
        int maxAttempts,
        Backoff backoff,
        FinishMode finish,
        Duration poll) {

    /** How long what was taken may wait in memory for a thread; then it is given back, not started. */
    static final Duration PATIENCE = Duration.ofSeconds(2);

    public WorkerSettings {
        require(threads >= 1 && threads <= 10_000, "threads", threads, "1 to 10000");
        require(batch >= 1 && batch <= 5_000, "batch", batch, "1 to 5000");
        require(isUpTo(maxRun, Duration.ofDays(7)), "max-run", maxRun, "more than zero, up to 7 days");
        require(maxAttempts >= 1 && maxAttempts <= 1_000, "max-attempts", maxAttempts, "1 to 1000");
        require(isUpTo(poll, Duration.ofMinutes(1)), "poll", poll, "more than zero, up to 1 minute");
    }

    /** For how long a row is taken: a handler that starts at the last moment still has its whole maximum run. */
    public Duration longestClaim() {
        return PATIENCE.plus(maxRun);
    }

    /** For the features' options: more than nothing, and not more than this. */
    public static boolean isUpTo(Duration duration, Duration most) {
        return !duration.isNegative() && !duration.isZero() && duration.compareTo(most) <= 0;
    }

    /** For the features' options: refuses a value, and says what to use instead. */
    public static void require(boolean good, String option, Object value, String use) {
        if (!good) {
            throw new IllegalArgumentException("The option '" + option + "' is " + value + "; use " + use + ".");
        }
    }

    /**
     * Collects the choices that the options of every feature have; everything left out keeps its default. Not shared by threads.
     *
     * @param <B> the feature's own builder, which has more of them
     */
    public abstract static class Choices<B extends Choices<B>> {

        private int threads = 16;
        private boolean virtualThreads;
        private int batch;
        private Duration maxRun;
        private int maxAttempts = 10;
        private Backoff backoff = Backoff.exponential(Duration.ofSeconds(1), Duration.ofMinutes(10));
        private FinishMode finish = FinishMode.BATCHED;
        private Duration poll = Duration.ofSeconds(1);

        protected Choices(int batch, Duration maxRun) {
            this.batch = batch;
            this.maxRun = maxRun;
        }

        protected abstract B self();

        public B threads(int wished) {
            threads = wished;
            return self();
        }

        /** Runs handlers on virtual threads where the runtime has them (Java 21 and later). */
        public B virtualThreads(boolean wished) {
            virtualThreads = wished;
            return self();
        }

        public B batch(int wished) {
            batch = wished;
            return self();
        }

        public B maxRun(Duration wished) {
            maxRun = wished;
            return self();
        }

        public B maxAttempts(int wished) {
            maxAttempts = wished;
            return self();
        }

        public B backoff(Backoff wished) {
            backoff = wished;
            return self();
        }

        public B finish(FinishMode wished) {
            finish = wished;
            return self();
        }

        public B poll(Duration wished) {
            poll = wished;
            return self();
        }

        protected WorkerSettings work() {
            return new WorkerSettings(threads, virtualThreads, batch, maxRun, maxAttempts, backoff, finish, poll);
        }
    }
}
