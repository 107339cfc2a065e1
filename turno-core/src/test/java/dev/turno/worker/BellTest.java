package dev.turno.worker;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class BellTest {

    private static final Duration AT_ONCE = Duration.ZERO;

    @Test
    void a_loop_that_looks_often_already_is_not_woken_for_each_put_that_will_be_committed() throws Exception {
        boolean wokenAgain;
        long start;
        do { // until this machine gave it the time to do both within the same hurry
            start = System.nanoTime();
            Bell bell = new Bell();
            bell.hurry();
            assertThat(bell.await(AT_ONCE)).isTrue();
            bell.hurry();
            wokenAgain = bell.await(AT_ONCE);
        } while (System.nanoTime() - start > Duration.ofMillis(400).toNanos());

        assertThat(wokenAgain).isFalse();
    }

    @Test
    void what_was_committed_rings_for_a_hurried_loop_too() throws Exception {
        Bell bell = new Bell();
        bell.hurry();
        assertThat(bell.await(AT_ONCE)).isTrue();

        bell.ring();
        bell.ring();

        assertThat(bell.await(AT_ONCE)).isTrue();
        assertThat(bell.await(AT_ONCE)).isFalse();
    }
}
