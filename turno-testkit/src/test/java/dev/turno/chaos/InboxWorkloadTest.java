package dev.turno.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class InboxWorkloadTest {

    private static final Instant NOON = Instant.parse("2026-01-01T12:00:00Z");

    @Test
    void what_was_accepted_from_a_process_that_had_not_done_it_is_the_result_of_another() {
        List<Books.Effect> ofA = List.of(effect("m/0", "a", 0));

        assertThat(InboxWorkload.isOfAnother(ofA, List.of(accepted("a", 1)))).isFalse();
        assertThat(InboxWorkload.isOfAnother(ofA, List.of(accepted("b", 1)))).isTrue();
        assertThat(InboxWorkload.isOfAnother(List.of(effect("m/0", "a", 2)), List.of(accepted("a", 1))))
                .isTrue();
    }

    @Test
    void a_message_of_a_lane_that_begins_before_the_one_ahead_is_over_is_out_of_order() {
        List<Books.Effect> effects = List.of(effect("lane/0", "a", 0), effect("lane/1", "b", 2));

        assertThat(InboxWorkload.outOfOrder(effects, item -> List.of(accepted("a", 1))))
                .isZero();
        assertThat(InboxWorkload.outOfOrder(effects, item -> List.of(accepted("a", 3))))
                .isEqualTo(1);
    }

    @Test
    void a_message_of_a_lane_that_overtakes_or_is_left_out_is_out_of_order() {
        Map<String, List<Books.Accepted>> none = Map.of();
        List<Books.Effect> overtaken = List.of(effect("lane/1", "a", 0), effect("lane/0", "a", 1));
        List<Books.Effect> leftOut = List.of(effect("lane/0", "a", 0), effect("lane/2", "a", 1));

        assertThat(InboxWorkload.outOfOrder(overtaken, item -> none.getOrDefault(item, List.of())))
                .isEqualTo(2);
        assertThat(InboxWorkload.outOfOrder(leftOut, item -> none.getOrDefault(item, List.of())))
                .isEqualTo(1);
    }

    private static Books.Effect effect(String item, String node, int second) {
        return new Books.Effect(second, item, node, item + "#1", NOON.plusSeconds(second));
    }

    private static Books.Accepted accepted(String node, int second) {
        return new Books.Accepted(node, NOON.plusSeconds(second));
    }
}
