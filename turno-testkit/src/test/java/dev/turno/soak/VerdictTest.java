package dev.turno.soak;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.function.IntFunction;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class VerdictTest {

    private static List<String> of(int minutes, IntFunction<Sample> sample) {
        return Verdict.of(IntStream.range(0, minutes).mapToObj(sample).toList());
    }

    /** Collections and clean-ups make saws of some figures. */
    private static Sample usual(int minute) {
        long tooth = minute % 4;
        return new Sample(60_000_000 + tooth * 1_000_000, 90 + tooth, 30, 200 + tooth, 50_000_000, tooth * 20_000);
    }

    @Test
    void what_goes_up_and_down_is_flat() {
        assertThat(of(9, VerdictTest::usual)).isEmpty();
        assertThat(of(60, VerdictTest::usual)).isEmpty();
    }

    @Test
    void the_beginning_does_not_count() {
        assertThat(of(60, minute -> minute < 20 ? new Sample(1, 1, 1, 1, 1, 1) : usual(minute)))
                .isEmpty();
    }

    @Test
    void what_only_goes_up_is_told_each_by_its_name() {
        assertThat(of(60, minute -> new Sample(50_000_000 + minute * 200_000L, 90, 30, 200, 1, 0)))
                .singleElement()
                .asString()
                .startsWith("heap");
        assertThat(of(60, minute -> new Sample(1, 90 + minute / 5, 30, 200, 1, 0)))
                .singleElement()
                .asString()
                .startsWith("threads");
        assertThat(of(60, minute -> new Sample(1, 90, 30 + minute / 4, 200, 1, 0)))
                .singleElement()
                .asString()
                .startsWith("connections");
        assertThat(of(60, minute -> new Sample(1, 90, 30, 200 + minute, 1, 0)))
                .singleElement()
                .asString()
                .startsWith("open files");
        assertThat(of(60, minute -> new Sample(1, 90, 30, 200, minute * 1_000_000L, 0)))
                .singleElement()
                .asString()
                .startsWith("tables");
        assertThat(of(60, minute -> new Sample(1, 90, 30, 200, 1, minute * 500L)))
                .singleElement()
                .asString()
                .startsWith("dead rows");
    }
}
