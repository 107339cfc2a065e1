package dev.turno.harvester.store;

import static org.assertj.core.api.Assertions.assertThat;

import dev.turno.harvester.record.Selection;
import java.io.IOException;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class StandingWalksTest {

    private static final long ONE = walk().bytes();

    private static Reading walk() {
        return new Reading(List.of(), Selection.live(), true);
    }

    private static StandingWalks.Place place(int number) {
        return new StandingWalks.Place(1, Selection.live(), "1." + number);
    }

    private static List<Integer> standing(StandingWalks walks) {
        return IntStream.range(0, 40)
                .filter(number -> walks.take(place(number)).isPresent())
                .boxed()
                .toList();
    }

    private static StandingWalks with(long mostBytes, int count) throws IOException {
        StandingWalks walks = new StandingWalks(mostBytes);
        for (int i = 0; i < count; i++) {
            walks.put(place(i), walk());
        }
        return walks;
    }

    @Test
    void together_they_keep_no_more_in_memory_than_they_may() throws IOException {
        assertThat(standing(with(3 * ONE, 10))).containsExactly(7, 8, 9);
    }

    @Test
    void the_newest_stays_however_large_it_is() throws IOException {
        assertThat(standing(with(1, 10))).containsExactly(9);
    }

    @Test
    void there_are_never_more_than_sixteen() throws IOException {
        assertThat(standing(with(StandingWalks.MOST_BYTES, 40))).hasSize(16).contains(39);
    }

    @Test
    void a_set_tells_what_it_costs() {
        KeySet set = new KeySet();

        IntStream.range(0, 1_000_000).forEach(i -> set.add(Keys.of("oai:demo:" + i, false)));

        assertThat(set.bytes()).isBetween(8_000_000L, 32_000_000L);
    }
}
