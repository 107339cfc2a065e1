package dev.turno.certification.intake;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class RetentionTest {

    private final AtomicInteger rounds = new AtomicInteger();

    @Test
    void an_error_of_the_jvm_does_not_end_it() {
        try (Retention retention = new Retention(
                () -> {
                    if (rounds.incrementAndGet() == 1) {
                        throw new StackOverflowError("once");
                    }
                    return false;
                },
                Duration.ofMillis(10))) {
            retention.start();

            await().atMost(Duration.ofSeconds(10)).until(() -> rounds.get() >= 3);
        }
    }

    @Test
    void one_that_is_started_again_works_once() {
        try (Retention retention = new Retention(() -> false, Duration.ofHours(1))) {
            retention.start();
            retention.start();

            assertThat(retention.planned()).isEqualTo(1);
        }
    }
}
