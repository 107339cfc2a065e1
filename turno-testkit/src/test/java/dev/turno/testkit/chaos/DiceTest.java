package dev.turno.testkit.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.Collection;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class DiceTest {

    private static final Duration LEASE = Duration.ofSeconds(3);
    private static final Duration BEYOND = Duration.ofSeconds(2);
    private static final int MANY = 2_000;

    private static List<Misfortune> schedule(long seed, Collection<Fault> possible) {
        Dice dice = new Dice(seed, possible, 3, LEASE, 6, BEYOND);
        return Stream.generate(dice::next).limit(MANY).toList();
    }

    @Test
    void the_same_seed_is_the_same_schedule_and_another_seed_another() {
        Set<Fault> all = EnumSet.allOf(Fault.class);

        assertThat(schedule(7, all)).isEqualTo(schedule(7, all)).isNotEqualTo(schedule(8, all));
    }

    @Test
    void everything_that_is_possible_happens_and_nothing_else() {
        Set<Fault> possible = EnumSet.of(Fault.KILL, Fault.FREEZE, Fault.DATABASE_KILL);

        assertThat(schedule(1, possible).stream().map(Misfortune::fault).distinct())
                .containsExactlyInAnyOrderElementsOf(possible);
    }

    @Test
    void one_of_six_freezes_outlasts_the_lease() {
        List<Misfortune> longOnes = schedule(1, Set.of(Fault.FREEZE)).stream()
                .filter(one -> one.length().compareTo(LEASE) > 0)
                .toList();

        assertThat(longOnes).hasSizeBetween(MANY / 8, MANY / 5);
        assertThat(longOnes).allSatisfy(one -> assertThat(one.length()).isLessThan(LEASE.plus(BEYOND)));
    }

    @Test
    void after_a_death_the_others_are_left_alone_until_they_must_have_taken_over() {
        assertThat(schedule(1, Set.of(Fault.KILL, Fault.DATABASE_KILL)))
                .allSatisfy(one -> assertThat(one.pause()).isGreaterThan(LEASE));
    }
}
