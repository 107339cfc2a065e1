package dev.turno.inbox;

import dev.turno.worker.Backoff;
import dev.turno.worker.FinishMode;
import dev.turno.worker.WorkerSettings;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * How an inbox behaves in this process.
 *
 * @param work threads, batches, maximum run time, attempts, backoff, finish mode, polling
 * @param keep how long finished messages stay and their ids are recognised; empty: deleted when finished, so that only
 *     unfinished duplicates are recognised
 * @param concurrency the most messages under way at once in the whole cluster; empty: as many as there are threads
 * @param maxBody the longest body in characters
 * @param deadBlocksItsKey whether a DEAD message keeps the later ones of its ordering key waiting
 */
public record InboxOptions(
        WorkerSettings work,
        Optional<Duration> keep,
        Optional<Integer> concurrency,
        int maxBody,
        boolean deadBlocksItsKey) {

    /** What the narrowest of the databases can store. */
    public static final int LONGEST_BODY = 1_048_576;

    public InboxOptions {
        require(work.threads() >= 1 && work.threads() <= 10_000, "threads", work.threads(), "1 to 10000");
        require(work.batch() >= 1 && work.batch() <= 5_000, "batch", work.batch(), "1 to 5000");
        require(
                isPositive(work.maxRun(), Duration.ofDays(7)),
                "max-run",
                work.maxRun(),
                "more than zero, up to 7 days");
        require(
                work.maxAttempts() >= 1 && work.maxAttempts() <= 1_000,
                "max-attempts",
                work.maxAttempts(),
                "1 to 1000");
        require(isPositive(work.poll(), Duration.ofMinutes(1)), "poll", work.poll(), "more than zero, up to 1 minute");
        keep.ifPresent(
                time -> require(isPositive(time, Duration.ofDays(36_500)), "keep", time, "none, or up to 100 years"));
        concurrency.ifPresent(k -> require(k >= 1 && k <= 10_000, "concurrency", k, "1 to 10000"));
        require(maxBody >= 1 && maxBody <= LONGEST_BODY, "max-body", maxBody, "1 to " + LONGEST_BODY);
    }

    private static boolean isPositive(Duration duration, Duration most) {
        return !duration.isNegative() && !duration.isZero() && duration.compareTo(most) <= 0;
    }

    private static void require(boolean good, String option, Object value, String use) {
        if (!good) {
            throw new IllegalArgumentException("The inbox option '" + option + "' is " + value + "; use " + use + ".");
        }
    }

    public static InboxOptions defaults() {
        return new Builder().build();
    }

    /** {@code InboxOptions.of(o -> o.maxAttempts(5).keepNone())}. */
    public static InboxOptions of(Consumer<Builder> choices) {
        Builder builder = new Builder();
        choices.accept(builder);
        return builder.build();
    }

    /** From names and values as in a configuration file; an unknown name is refused and the nearest one suggested. */
    public static InboxOptions of(Map<String, String> choices) {
        return of(builder -> choices.forEach((name, value) -> InboxOptionNames.apply(builder, name, value)));
    }

    /** Collects choices; everything left out keeps its default. Not shared by threads. */
    public static final class Builder {

        private int threads = 16;
        private boolean virtualThreads;
        private int batch = 500;
        private Duration maxRun = Duration.ofMinutes(5);
        private int maxAttempts = 10;
        private Backoff backoff = Backoff.exponential(Duration.ofSeconds(1), Duration.ofMinutes(10));
        private FinishMode finish = FinishMode.BATCHED;
        private Duration poll = Duration.ofSeconds(1);
        private Optional<Duration> keep = Optional.of(Duration.ofDays(7));
        private Optional<Integer> concurrency = Optional.empty();
        private int maxBody = 262_144;
        private boolean deadBlocksItsKey;

        private Builder() {}

        public Builder threads(int wished) {
            threads = wished;
            return this;
        }

        /** Runs handlers on virtual threads where the runtime has them (Java 21 and later). */
        public Builder virtualThreads(boolean wished) {
            virtualThreads = wished;
            return this;
        }

        public Builder batch(int wished) {
            batch = wished;
            return this;
        }

        public Builder maxRun(Duration wished) {
            maxRun = wished;
            return this;
        }

        public Builder maxAttempts(int wished) {
            maxAttempts = wished;
            return this;
        }

        public Builder backoff(Backoff wished) {
            backoff = wished;
            return this;
        }

        public Builder finish(FinishMode wished) {
            finish = wished;
            return this;
        }

        public Builder poll(Duration wished) {
            poll = wished;
            return this;
        }

        public Builder keep(Duration wished) {
            keep = Optional.of(wished);
            return this;
        }

        /** Deletes messages when they are done. */
        public Builder keepNone() {
            keep = Optional.empty();
            return this;
        }

        public Builder concurrency(int wished) {
            concurrency = Optional.of(wished);
            return this;
        }

        public Builder maxBody(int wished) {
            maxBody = wished;
            return this;
        }

        public Builder deadBlocksItsKey(boolean wished) {
            deadBlocksItsKey = wished;
            return this;
        }

        private InboxOptions build() {
            WorkerSettings work =
                    new WorkerSettings(threads, virtualThreads, batch, maxRun, maxAttempts, backoff, finish, poll);
            return new InboxOptions(work, keep, concurrency, maxBody, deadBlocksItsKey);
        }
    }
}
