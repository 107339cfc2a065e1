package dev.turno.buffer;

import static dev.turno.worker.WorkerSettings.isUpTo;
import static dev.turno.worker.WorkerSettings.require;

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
 * @param expiry a burst whose newest message is older than this is not handed over but parked as DEAD; once revived it is not
 *     asked for its age again
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
        require(work.batch() <= 1_000, "batch", work.batch(), "1 to 1000");
        require(isUpTo(quiet, LONGEST_WAIT), "quiet", quiet, "more than zero, up to 30 days");
        require(
                isUpTo(maxWait, LONGEST_WAIT) && maxWait.compareTo(quiet) >= 0,
                "max-wait",
                maxWait,
                "at least quiet, up to 30 days");
        require(maxCount >= 1 && maxCount <= 10_000, "max-count", maxCount, "1 to 10000");
        require(maxBytes >= 1, "max-bytes", maxBytes, "1 or more");
        require(maxBody >= 1 && maxBody <= LONGEST_BODY, "max-body", maxBody, "1 to " + LONGEST_BODY);
        require(isUpTo(keepIds, LONGEST_KEEP), "keep-ids", keepIds, "more than zero, up to 100 years");
        expiry.ifPresent(time -> require(isUpTo(time, LONGEST_KEEP), "expiry", time, "none, or up to 100 years"));
        require(flushWords.size() <= 1_000, "flush-words", flushWords.size() + " words", "at most 1000");
        flushWords = flushWords.stream().map(BufferOptions::asWord).collect(Collectors.toUnmodifiableSet());
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
    public static final class Builder extends WorkerSettings.Choices<Builder> {

        private Duration quiet = Duration.ofSeconds(10);
        private Optional<Duration> maxWait = Optional.empty();
        private int maxCount = 500;
        private long maxBytes = 1_048_576;
        private Set<String> flushWords = Set.of();
        private int maxBody = 65_536;
        private Duration keepIds = Duration.ofDays(8);
        private Optional<Duration> expiry = Optional.empty();

        private Builder() {
            super(100, Duration.ofSeconds(60));
        }

        @Override
        protected Builder self() {
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
            Duration sixTimes = quiet.multipliedBy(6);
            Duration longest = maxWait.orElse(sixTimes.compareTo(LONGEST_WAIT) < 0 ? sixTimes : LONGEST_WAIT);
            return new BufferOptions(work(), quiet, longest, maxCount, maxBytes, flushWords, maxBody, keepIds, expiry);
        }
    }
}
