package dev.turno.benchmarks.result;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;

class RatioTest {

    @Test
    void a_difference_beyond_the_spread_is_told() {
        Ratio ratio = new Ratio(List.of(1.4, 1.6, 1.5));

        assertThat(ratio.isMeasured()).isTrue();
        assertThat(ratio.wording()).isEqualTo("1.5");
    }

    @Test
    void a_spread_that_holds_one_is_no_difference_however_large_the_median() {
        Ratio ratio = new Ratio(List.of(0.9, 2.0, 3.0));

        assertThat(ratio.isMeasured()).isFalse();
        assertThat(ratio.wording()).isEqualTo("no difference measured");
    }

    @Test
    void one_round_has_no_spread_and_so_shows_nothing() {
        assertThat(new Ratio(List.of(50.0)).isMeasured()).isFalse();
    }

    @Test
    void with_many_rounds_a_few_that_were_disturbed_do_not_decide() {
        List<Double> rounds = new ArrayList<>(Collections.nCopies(10, 1.5));
        rounds.add(0.3);
        rounds.add(9.0);

        assertThat(new Ratio(rounds).isMeasured()).isTrue();
    }

    /** From tables of the sign test at 95 %. */
    @Test
    void as_many_extremes_are_left_out_as_the_sign_test_allows() {
        assertThat(List.of(1, 2, 5, 6, 8, 9, 12, 15, 20).stream().map(Ratio::leftOut))
                .containsExactly(0, 0, 0, 0, 0, 1, 2, 3, 5);
    }

    @Test
    void being_better_by_a_factor_needs_a_measured_difference() {
        Ratio doubtful = new Ratio(List.of(0.9, 2.0, 3.0));

        assertThat(Goal.atLeast("twice-as-fast", 1.5, doubtful).isMet()).isFalse();
        assertThat(Goal.atLeast("twice-as-fast", 1.5, doubtful).doubt()).contains("no difference measured");
        assertThat(Goal.atLeast("as-fast", 1, doubtful).isMet()).isTrue();
    }

    @Test
    void rounds_are_compared_with_rounds() {
        Figure ours = new Figure("work", "we", "items/s", List.of(100.0, 10.0, 50.0));
        Figure theirs = new Figure("work", "they", "items/s", List.of(50.0, 5.0, 25.0));

        assertThat(ours.ratioTo(theirs).values()).containsExactly(2.0, 2.0, 2.0);
    }
}
