package dev.turno.server.webhook;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class CircuitTest {

    private final AtomicLong nanos = new AtomicLong();
    private final Circuit circuit = new Circuit("The webhook to a.example", nanos::get);

    private void fail(int times) {
        for (int i = 0; i < times; i++) {
            circuit.begin();
            circuit.failed("no answer");
        }
    }

    private void forward(Duration time) {
        nanos.addAndGet(time.toNanos());
    }

    @Test
    void nothing_is_sent_after_ten_failures_in_a_row_until_the_pause_is_over() {
        fail(Circuit.TOLERATED - 1);
        assertThat(circuit.isReady()).isTrue();

        fail(1);

        assertThat(circuit.isReady()).isFalse();
        forward(Duration.ofMillis(700));
        assertThat(circuit.isReady()).isFalse();
        forward(Duration.ofMillis(300));
        assertThat(circuit.isReady()).isTrue();
    }

    @Test
    void a_success_between_failures_starts_the_count_again() {
        fail(Circuit.TOLERATED - 1);
        circuit.begin();
        circuit.worked();
        fail(Circuit.TOLERATED - 1);

        assertThat(circuit.isReady()).isTrue();
    }

    @Test
    void after_the_pause_one_attempt_shows_whether_the_receiver_is_back() {
        fail(Circuit.TOLERATED);
        forward(Duration.ofSeconds(1));

        circuit.begin();

        assertThat(circuit.isReady()).as("while it is under way").isFalse();
        circuit.worked();
        assertThat(circuit.isReady()).isTrue();
        fail(Circuit.TOLERATED - 1);
        assertThat(circuit.isReady()).as("all failures are tolerated again").isTrue();
    }

    @Test
    void pauses_grow_up_to_a_minute() {
        fail(Circuit.TOLERATED);
        for (int i = 0; i < 20; i++) {
            forward(Duration.ofMinutes(1));
            assertThat(circuit.isReady()).isTrue();
            fail(1);
        }

        forward(Duration.ofSeconds(44));
        assertThat(circuit.isReady()).isFalse();
        forward(Duration.ofSeconds(16));
        assertThat(circuit.isReady()).isTrue();
    }

    @Test
    void failures_that_were_under_way_together_do_not_make_the_pause_longer() {
        fail(Circuit.TOLERATED);
        for (int i = 0; i < 50; i++) {
            circuit.failed("no answer either");
        }

        forward(Duration.ofSeconds(1));
        assertThat(circuit.isReady()).isTrue();
    }
}
