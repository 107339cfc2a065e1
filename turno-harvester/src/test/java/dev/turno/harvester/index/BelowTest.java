package dev.turno.harvester.index;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class BelowTest {

    @Test
    void it_matches_the_numbers_that_are_lower_and_no_others() {
        for (long number : new long[] {1, 2, 9, 10, 11, 99, 100, 105, 257, 1_000, 1_999}) {
            String below = Below.of(number);

            assertThat(LongStream.rangeClosed(1, 2_500)
                            .filter(each -> Long.toString(each).matches(below)))
                    .as("below " + number)
                    .hasSize((int) number - 1);
            assertThat(LongStream.range(1, number))
                    .allMatch(each -> Long.toString(each).matches(below));
        }
    }

    @Test
    void it_knows_the_largest_numbers() {
        assertThat("9223372036854775806").matches(Below.of(Long.MAX_VALUE));
        assertThat("9223372036854775807").doesNotMatch(Below.of(Long.MAX_VALUE));
    }
}
