package dev.turno.harvester.index;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.turno.harvester.index.IndexStates.State;
import dev.turno.testkit.database.FreshDatabase;
import dev.turno.testkit.database.OnEveryDatabase;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import org.junit.jupiter.api.Test;

@OnEveryDatabase
class IndexStatesTest {

    private final IndexStates states;

    IndexStatesTest(FreshDatabase database) {
        states = new IndexStates(database.dataSource());
        states.createTables();
    }

    @Test
    void what_an_index_holds_is_kept_for_each_network_and_kind() {
        assertThat(states.keep(1, IndexKind.XOAI, new State(7, "a"))).isTrue();
        assertThat(states.keep(1, IndexKind.FRONTEND, new State(8, "b"))).isTrue();
        assertThat(states.keep(1, IndexKind.XOAI, new State(7, "c"))).isTrue();

        assertThat(states.of(1, IndexKind.XOAI)).contains(new State(7, "c"));
        assertThat(states.of(1, IndexKind.FRONTEND)).contains(new State(8, "b"));
        assertThat(states.of(2, IndexKind.XOAI)).isEmpty();
    }

    @Test
    void the_clock_is_the_databases() {
        assertThat(states.now()).isCloseTo(Instant.now(), within(1, ChronoUnit.HOURS));
    }

    @Test
    void one_who_comes_late_does_not_put_an_older_snapshot_in_the_place_of_a_newer_one() {
        assertThat(states.keep(1, IndexKind.XOAI, new State(10, "new"))).isTrue();

        assertThat(states.keep(1, IndexKind.XOAI, new State(9, "old"))).isFalse();

        assertThat(states.of(1, IndexKind.XOAI)).contains(new State(10, "new"));
    }
}
