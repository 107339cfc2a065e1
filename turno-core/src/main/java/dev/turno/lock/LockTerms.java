package dev.turno.lock;

import dev.turno.sql.StorableText;
import java.time.Duration;
import java.util.function.Consumer;

/**
 * On which terms a lock is taken. Those given to the whole process ({@code turno.locks(terms)}) also say whether and how often
 * it cleans up.
 *
 * @param lease how long the lock is held without a renewal
 * @param waitUpTo how long a busy lock is waited for, in line behind the other threads of this process
 * @param retries how many more times it is tried, each with its wait, when it was busy or the database was away
 * @param delay the pause before each of these
 * @param renewing whether the lease is renewed, every third of it, until it is closed
 * @param service under which service people see it
 * @param user under which user people see it
 * @param cleanUp whether this process removes locks that nobody took for long
 * @param cleanUpEvery how often
 * @param keep how long a lock that nobody has stays before the clean-up removes it
 */
public record LockTerms(
        Duration lease,
        Duration waitUpTo,
        int retries,
        Duration delay,
        boolean renewing,
        String service,
        String user,
        boolean cleanUp,
        Duration cleanUpEvery,
        Duration keep) {

    public static final int LONGEST_SERVICE = 100;
    public static final int LONGEST_USER = 50;
    private static final int MOST_RETRIES = 10_000;
    private static final Duration LONGEST = Duration.ofDays(30);

    public LockTerms {
        requireBetween("lease", lease, Duration.ofMillis(1), LONGEST);
        requireBetween("wait-up-to", waitUpTo, Duration.ZERO, LONGEST);
        require(retries >= 0 && retries <= MOST_RETRIES, "retries", retries, "0 to " + MOST_RETRIES);
        requireBetween("delay", delay, Duration.ZERO, LONGEST);
        requireText("service", service, LONGEST_SERVICE);
        requireText("user", user, LONGEST_USER);
        requireBetween("clean-up-every", cleanUpEvery, Duration.ofMillis(100), LONGEST);
        requireBetween("keep", keep, Duration.ofSeconds(1), Duration.ofDays(36_500));
    }

    private static void requireBetween(String term, Duration value, Duration least, Duration most) {
        boolean good = value.compareTo(least) >= 0 && value.compareTo(most) <= 0;
        require(good, term, value, least + " to " + most);
    }

    private static void requireText(String term, String value, int longest) {
        StorableText.requireStorable("lock's term", term, value);
        require(value.length() <= longest, term, "'" + value + "'", "at most " + longest + " characters");
    }

    private static void require(boolean good, String term, Object value, String use) {
        if (!good) {
            throw new IllegalArgumentException("The lock's term '" + term + "' is " + value + "; use " + use + ".");
        }
    }

    /** A lease of 30 seconds, renewed; no waiting; clean-up every 5 minutes of what nobody took for an hour. */
    public static LockTerms defaults() {
        return new Builder().build();
    }

    /** {@code LockTerms.of(t -> t.lease(Duration.ofSeconds(10)).waitUpTo(Duration.ofSeconds(2)))}. */
    public static LockTerms of(Consumer<Builder> choices) {
        Builder builder = new Builder();
        choices.accept(builder);
        return builder.build();
    }

    /** These terms with other choices on top. */
    public LockTerms with(Consumer<Builder> choices) {
        Builder builder = new Builder(this);
        choices.accept(builder);
        return builder.build();
    }

    /** Collects choices; everything left out keeps its default. Not shared by threads. */
    public static final class Builder {

        private Duration lease = Duration.ofSeconds(30);
        private Duration waitUpTo = Duration.ZERO;
        private int retries;
        private Duration delay = Duration.ofMillis(500);
        private boolean renewing = true;
        private String service = "";
        private String user = "";
        private boolean cleanUp = true;
        private Duration cleanUpEvery = Duration.ofMinutes(5);
        private Duration keep = Duration.ofHours(1);

        private Builder() {}

        private Builder(LockTerms terms) {
            lease = terms.lease();
            waitUpTo = terms.waitUpTo();
            retries = terms.retries();
            delay = terms.delay();
            renewing = terms.renewing();
            service = terms.service();
            user = terms.user();
            cleanUp = terms.cleanUp();
            cleanUpEvery = terms.cleanUpEvery();
            keep = terms.keep();
        }

        public Builder lease(Duration wished) {
            lease = wished;
            return this;
        }

        public Builder waitUpTo(Duration wished) {
            waitUpTo = wished;
            return this;
        }

        public Builder retries(int wished) {
            retries = wished;
            return this;
        }

        public Builder delay(Duration wished) {
            delay = wished;
            return this;
        }

        public Builder renewing(boolean wished) {
            renewing = wished;
            return this;
        }

        public Builder service(String wished) {
            service = wished;
            return this;
        }

        public Builder user(String wished) {
            user = wished;
            return this;
        }

        public Builder cleanUp(boolean wished) {
            cleanUp = wished;
            return this;
        }

        public Builder cleanUpEvery(Duration wished) {
            cleanUpEvery = wished;
            return this;
        }

        public Builder keep(Duration wished) {
            keep = wished;
            return this;
        }

        private LockTerms build() {
            return new LockTerms(lease, waitUpTo, retries, delay, renewing, service, user, cleanUp, cleanUpEvery, keep);
        }
    }
}
