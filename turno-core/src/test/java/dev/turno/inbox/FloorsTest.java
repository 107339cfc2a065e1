package dev.turno.inbox;

import static org.assertj.core.api.Assertions.assertThat;

import dev.turno.claim.Claim;
import dev.turno.claim.Taken;
import dev.turno.time.Time;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class FloorsTest {

    private static final Instant PUT = Instant.parse("2027-01-01T00:00:00Z");

    private final Clock clock = new Clock();
    private final Floors floors = new Floors(clock);

    @Test
    void a_take_looks_from_where_the_last_one_ended_and_once_a_second_from_the_beginning() {
        assertThat(looksFromTheBeginning(Duration.ofMillis(5))).isTrue();
        assertThat(looksFromTheBeginning(Duration.ofMillis(5))).isFalse();
        clock.pass(Duration.ofSeconds(1));

        assertThat(looksFromTheBeginning(Duration.ofMillis(5))).isTrue();
    }

    @Test
    void the_longer_a_look_from_the_beginning_takes_the_rarer_it_is() {
        assertThat(looksFromTheBeginning(Duration.ofMillis(200))).isTrue();
        clock.pass(Duration.ofMillis(3_700));
        assertThat(looksFromTheBeginning(Duration.ofMillis(5))).isFalse();
        clock.pass(Duration.ofMillis(200));
        assertThat(looksFromTheBeginning(Duration.ofSeconds(30))).isTrue();

        clock.pass(Duration.ofSeconds(1));

        assertThat(looksFromTheBeginning(Duration.ofMillis(5)))
                .as("ten seconds have passed, which is the longest")
                .isTrue();
        clock.pass(Duration.ofSeconds(1));
        assertThat(looksFromTheBeginning(Duration.ofMillis(5)))
                .as("it was quick again")
                .isTrue();
    }

    @Test
    void a_look_that_fails_does_not_make_the_next_one_rarer() {
        assertThat(looksFromTheBeginning(Duration.ofMillis(5))).isTrue();
        clock.pass(Duration.ofSeconds(1));
        Floors.Look unused = floors.look(); // its statement fails

        clock.pass(Duration.ofMillis(900));
        assertThat(looksFromTheBeginning(Duration.ofMillis(5))).isFalse();
        clock.pass(Duration.ofMillis(100));
        assertThat(looksFromTheBeginning(Duration.ofMillis(5))).isTrue();
    }

    private boolean looksFromTheBeginning(Duration takes) {
        Floors.Look look = floors.look();
        clock.pass(takes);
        Message message = new Message("m", "{}", 5, Optional.empty(), PUT, Optional.empty());
        floors.learn(look, List.of(new Taken<>(new Claim(1, 1), 1, "m", message)), 1);
        return look.micros().stream().allMatch(floor -> floor == 0);
    }

    private static final class Clock implements Time {

        private long nanos;

        void pass(Duration time) {
            nanos += time.toNanos();
        }

        @Override
        public Optional<Instant> now() {
            return Optional.empty();
        }

        @Override
        public long nanos() {
            return nanos;
        }
    }
}
