package dev.turno.web.security;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("security")
class RatesTest {

    private long now = 7;
    private final Rates rates = new Rates(5, () -> now);

    private int allowed(String name) {
        int count = 0;
        while (count < 100 && rates.allow(name)) {
            count++;
        }
        return count;
    }

    @Test
    void twice_as_many_at_once_then_so_many_per_second_and_each_name_by_itself() {
        assertThat(allowed("a")).isEqualTo(10);
        assertThat(allowed("b")).isEqualTo(10);

        now += Duration.ofSeconds(1).toNanos();
        assertThat(allowed("a")).isEqualTo(5);

        now += Duration.ofHours(1).toNanos();
        assertThat(allowed("a")).as("a pause is not saved up without end").isEqualTo(10);
    }
}
