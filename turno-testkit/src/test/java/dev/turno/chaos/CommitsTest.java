package dev.turno.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

class CommitsTest {

    @Test
    void what_was_told_to_be_committed_and_is_not_there_is_gone() {
        assertThat(Commits.gone(List.of("one#1", "two#1"), Set.of("one#1"))).isEqualTo(1);
        assertThat(Commits.gone(List.of("one#1"), Set.of("one#1", "unheard#1"))).isZero();
    }
}
