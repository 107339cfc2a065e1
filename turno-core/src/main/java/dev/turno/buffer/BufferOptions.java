package dev.turno.buffer;

import dev.turno.worker.Backoff;
import dev.turno.worker.FinishMode;
import dev.turno.worker.WorkerSettings;
import java.time.Duration;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.Collectors;

/**
 * How a buffer behaves in this process. Give all processes the same.
 *
 * @param work threads, batches, maximum run time, attempts, backoff, finish mode, polling
 * @param quiet a burst is due when so long nothing came
 * @param maxWait and at the latest so long after its first message
 * @param maxCount or at so many messages; no burst has more
 * @param maxBytes or at so many bytes of bodies
 * @param flushWords or at a text that is one of these, whatever its case
 * @param maxBody the longest body in characters
 * @param keepIds how long a message id is recognised, and a key without messages remembered
 * @param expiry a burst whose newest message is older than this is not handed over but parked as DEAD
 */
public record BufferOptions(
        WorkerSettings work,
        Duration quiet,
        Duration maxWait,
        int maxCount,
        long maxBytes,
        Set<String> flushWords,
        int maxBody,
        Duration keepIds,
        Optional<Duration> expiry) {

    /** What the narrowest of the databases can store. */
    public static final int LONGEST_BODY = 1_048_576;

    private static final Duration LONGEST_WAIT = Duration.ofDays(30);
    private static final Duration LONGEST_KEEP = Duration.ofDays(36_500);

    public BufferOptions {
        require(work.threads() >= 1 && work.threads() <= 10_000, "threads", work.threads(), "1 to 10000");
        require(work.batch() >= 1 && work.batch() <= 1_000, "batch", work.batch(), "1 to 1000");
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
        require(isPositive(quiet, LONGEST_WAIT), "quiet", quiet, "more than zero, up to 30 days");
        require(
                isPositive(maxWait, LONGEST_WAIT) && maxWait.compareTo(quiet) >= 0,
                "max-wait",
                maxWait,
                "at least quiet, up to 30 days");
        require(maxCount >= 1 && maxCount <= 10_000, "max-count", maxCount, "1 to 10000");
        require(maxBytes >= 1, "max-bytes", maxBytes, "1 or more");
        require(maxBody >= 1 && maxBody <= LONGEST_BODY, "max-body", maxBody, "1 to " + LONGEST_BODY);
        require(isPositive(keepIds, LONGEST_KEEP), "keep-ids", keepIds, "more than zero, up to 100 years");
        expiry.ifPresent(time -> require(isPositive(time, LONGEST_KEEP), "expiry", time, "none, or up to 100 years"));
        require(flushWords.size() <= 1_000, "flush-words", flushWords.size() + " words", "at most 1000");
        flushWords = flushWords.stream().map(BufferOptions::asWord).collect(Collectors.toUnmodifiableSet());
    }

    private static boolean isPositive(Duration duration, Duration most) {
        return !duration.isNegative() && !duration.isZero() && duration.compareTo(most) <= 0;
    }

    private static void require(boolean good, String option, Object value, String use) {
        if (!good) {
            throw new IllegalArgumentException("The buffer option '" + option + "' is " + value + "; use " + use + ".");
        }
    }

    private static String asWord(String text) {
        return text.strip().toLowerCase(Locale.ROOT);
    }

    boolean isFlushWord(BufferMessage message) {
        return !flushWords.isEmpty()
                && message.type().equals(BufferMessage.TEXT)
                && flushWords.contains(asWord(message.body()));
    }

    public static BufferOptions defaults() {
        return new Builder().build();
    }

    /** {@code BufferOptions.of(o -> o.quiet(Duration.ofSeconds(5)).maxCount(20))}. */
    public static BufferOptions of(Consumer<Builder> choices) {
        Builder builder = new Builder();
        choices.accept(builder);
        return builder.build();
    }

    /** Collects choices; everything left out keeps its default. Not shared by threads. */
    public static final class Builder {

        private int threads = 16;
        private boolean virtualThreads;
        private int batch = 100;
        private Duration maxRun = Duration.ofSeconds(60);
        private int maxAttempts = 10;
        private Backoff backoff = Backoff.exponential(Duration.ofSeconds(1), Duration.ofMinutes(10));
        private FinishMode finish = FinishMode.BATCHED;
        private Duration poll = Duration.ofSeconds(1);
        private Duration quiet = Duration.ofSeconds(10);
        private Optional<Duration> maxWait = Optional.empty();
        private int maxCount = 500;
        private long maxBytes = 1_048_576;
        private Set<String> flushWords = Set.of();
        private int maxBody = 65_536;
        private Duration keepIds = Duration.ofDays(8);
        private Optional<Duration> expiry = Optional.empty();

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

        public Builder quiet(Duration wished) {
            quiet = wished;
            return this;
        }

        /** Left out, it is six times the quiet time. */
        public Builder maxWait(Duration wished) {
            maxWait = Optional.of(wished);
            return this;
        }

        public Builder maxCount(int wished) {
            maxCount = wished;
            return this;
        }

        public Builder maxBytes(long wished) {
            maxBytes = wished;
            return this;
        }

        public Builder flushWords(String... wished) {
            flushWords = Set.of(wished);
            return this;
        }

        public Builder maxBody(int wished) {
            maxBody = wished;
            return this;
        }

        public Builder keepIds(Duration wished) {
            keepIds = wished;
            return this;
        }

        public Builder expiry(Duration wished) {
            expiry = Optional.of(wished);
            return this;
        }

        private BufferOptions build() {
            WorkerSettings work =
                    new WorkerSettings(threads, virtualThreads, batch, maxRun, maxAttempts, backoff, finish, poll);
            Duration sixTimes = quiet.multipliedBy(6);
            Duration longest = maxWait.orElse(sixTimes.compareTo(LONGEST_WAIT) < 0 ? sixTimes : LONGEST_WAIT);
            return new BufferOptions(work, quiet, longest, maxCount, maxBytes, flushWords, maxBody, keepIds, expiry);
        }
    }
}
