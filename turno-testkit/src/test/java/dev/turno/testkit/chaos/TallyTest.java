package dev.turno.testkit.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

class TallyTest {

    @Test
    void what_had_no_effect_is_missing_and_what_had_two_is_named() {
        Tally tally = Tally.of(Set.of("a", "b", "c"), List.of("a", "c", "c"));

        assertThat(tally).isEqualTo(new Tally(3, Set.of("b"), Set.of("c")));
        assertThat(tally.isRight()).isFalse();
    }

    @Test
    void one_effect_each_is_right_and_nothing_at_all_proves_nothing() {
        assertThat(Tally.of(Set.of("a"), List.of("a")).isRight()).isTrue();
        assertThat(Tally.of(Set.of(), List.of()).isRight()).isFalse();
    }
}
