package dev.turno.task;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class DealerTest {

    private static final Instant TEN = Instant.parse("2026-01-01T10:00:00Z");

    @Test
    void whatever_they_had_before_the_shares_are_as_even_as_they_can_be() {
        Random random = new Random(5);
        for (int round = 0; round < 500; round++) {
            int runners = random.nextInt(1, 12);
            Dealer dealer = new Dealer(LongStream.range(0, runners).boxed().toList(), random.nextInt());
            Map<Long, Integer> have = new HashMap<>();
            LongStream.range(0, runners).forEach(runner -> have.put(runner, random.nextInt(50)));

            Map<Long, Integer> surplus = dealer.surplus(have);
            dealer.turnTo(TEN, have);
            int moved = surplus.values().stream().mapToInt(count -> count).sum();
            for (int i = 0; i < moved; i++) {
                have.merge(dealer.deal(), 1, Integer::sum);
            }
            surplus.forEach((runner, count) -> have.merge(runner, -count, Integer::sum));

            int most = have.values().stream().mapToInt(count -> count).max().orElseThrow();
            int least = have.values().stream().mapToInt(count -> count).min().orElseThrow();
            assertThat(most - least).isLessThanOrEqualTo(1);
        }
    }

    @Test
    void who_comes_first_goes_round() {
        Dealer dealer = new Dealer(List.of(1L, 2L, 3L), 1);
        StringBuilder order = new StringBuilder();
        for (int i = 0; i < 5; i++) {
            dealer.turnTo(TEN.plusSeconds(i), Map.of());
            order.append(dealer.deal());
        }

        assertThat(order).hasToString("23123");
    }
}
