package dev.turno.certification;

import dev.turno.lock.LockTerms;
import java.time.Duration;
import org.springframework.core.env.Environment;

/** The names under which the service has always been configured. */
final class SeedProperties {

    private static final long MOST = 86_400_000;

    private SeedProperties() {}

    /**
     * A busy lock is waited for as long as the retries and their delays make together, with the first try: 2 seconds unless they are
     * changed. It is not polled meanwhile; whoever gives it back wakes the next in line.
     */
    static LockTerms terms(Environment environment) {
        Duration delay = Duration.ofMillis(number(environment, "lock.retry.delay.ms", 500));
        long tries = number(environment, "lock.retry.max", 3) + 1;
        return LockTerms.of(t -> t.lease(Duration.ofSeconds(number(environment, "lock.timeout.seconds", 30)))
                .waitUpTo(delay.multipliedBy(tries))
                .service(environment.getProperty("application.service.name", "CERT_AFORE"))
                .user(environment.getProperty("application.user.default", "SYSTEM"))
                .cleanUp(environment.getProperty("lock.cleanup.enabled", Boolean.class, true))
                .cleanUpEvery(Duration.ofSeconds(number(environment, "lock.cleanup.interval.seconds", 300))));
    }

    private static long number(Environment environment, String name, long usual) {
        long value = environment.getProperty(name, Long.class, usual);
        if (value < 0 || value > MOST) {
            throw new IllegalArgumentException(
                    name + " is " + value + "; use a number from 0 to " + MOST + ", such as " + usual + ".");
        }
        return value;
    }
}
