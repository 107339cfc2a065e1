package dev.turno.web.security;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("security")
class LockOutTest {

    private long now = 5;
    private final LockOut lockOut = new LockOut(() -> now);

    private boolean fail() {
        return lockOut.failed("10.1.1.1");
    }

    private void forward(Duration time) {
        now += time.toNanos();
    }

    @Test
    void the_eleventh_within_a_minute_is_too_many_and_only_for_a_minute() {
        for (int i = 0; i < LockOut.ALLOWED; i++) {
            assertThat(fail()).isFalse();
        }

        assertThat(fail()).isTrue();
        assertThat(lockOut.failed("10.1.1.2")).isFalse();
        forward(LockOut.WAIT.minusSeconds(1));
        assertThat(fail()).isTrue();
        forward(Duration.ofSeconds(2));
        assertThat(fail()).isFalse();
    }

    @Test
    void mistakes_far_apart_do_not_add_up() {
        for (int i = 0; i < 5 * LockOut.ALLOWED; i++) {
            assertThat(fail()).isFalse();
            forward(Duration.ofSeconds(20));
        }
    }
}
