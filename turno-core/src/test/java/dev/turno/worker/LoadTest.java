package dev.turno.worker;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class LoadTest {

    private final Bell bell = new Bell();
    private final AtomicInteger inHand = new AtomicInteger();
    private final AtomicBoolean backlog = new AtomicBoolean();
    private final Load load = new Load(bell, inHand::get, backlog::get);

    private boolean rang() throws InterruptedException {
        return bell.await(Duration.ZERO);
    }

    @Test
    void asks_for_a_batch_while_nothing_waits() {
        assertThat(load.ask(10, 20)).isEqualTo(10);
    }

    @Test
    void waits_for_a_big_bite_while_something_waits_and_is_rung_for_it() throws InterruptedException {
        load.came(15);
        assertThat(load.ask(10, 20)).isZero();

        for (int i = 0; i < 4; i++) {
            load.begins();
            load.ended();
            assertThat(rang()).isFalse();
        }
        load.begins();
        load.ended();

        assertThat(rang()).isTrue();
        assertThat(load.ask(10, 20)).isEqualTo(10);
    }

    @Test
    void is_rung_when_nothing_waits_for_a_thread_any_more() throws InterruptedException {
        load.came(19);
        assertThat(load.ask(10, 20)).isZero();

        for (int i = 0; i < 19; i++) {
            load.begins();
        }

        assertThat(rang()).isTrue();
        assertThat(load.ask(10, 20)).isEqualTo(1);
    }

    @Test
    void who_is_not_starved_is_not_rung() throws InterruptedException {
        assertThat(load.ask(10, 20)).isEqualTo(10);
        load.came(1);

        load.begins();
        load.ended();
        load.settled();

        assertThat(rang()).isFalse();
    }

    @Test
    void never_has_more_in_hand_than_it_may_and_is_rung_when_verdicts_are_written() throws InterruptedException {
        load.atMost(3);
        assertThat(rang()).isTrue();
        inHand.set(1);
        assertThat(load.ask(10, 20)).isEqualTo(2);
        inHand.set(3);
        assertThat(load.ask(10, 20)).isZero();

        load.settled();

        assertThat(rang()).isTrue();
    }

    @Test
    void takes_nothing_while_too_many_verdicts_wait() throws InterruptedException {
        backlog.set(true);
        assertThat(load.ask(10, 20)).isZero();

        load.settled();

        assertThat(rang()).isTrue();
    }

    @Test
    void is_idle_with_a_free_thread_and_no_peak_alone() {
        assertThat(load.isIdle(1)).isTrue();
        load.peakBegins(1);
        assertThat(load.isIdle(1)).isFalse();
        load.peakItemBegan();
        load.came(1);
        assertThat(load.isIdle(1)).isFalse();
        load.begins();
        assertThat(load.isIdle(1)).isFalse();
        load.ended();
        assertThat(load.isIdle(1)).isTrue();
    }
}
