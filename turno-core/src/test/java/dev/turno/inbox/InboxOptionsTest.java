package dev.turno.inbox;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.turno.worker.FinishMode;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;

class InboxOptionsTest {

    @Test
    void options_can_be_written_as_names_and_values() {
        InboxOptions options = InboxOptions.of(Map.of(
                "threads", "4",
                "max-run", "90s",
                "backoff", "250ms..PT1M",
                "finish", "in-transaction",
                "keep", "30d",
                "concurrency", "3",
                "dead-blocks-its-key", "true"));

        assertThat(options.work().threads()).isEqualTo(4);
        assertThat(options.work().maxRun()).isEqualTo(Duration.ofSeconds(90));
        assertThat(options.work().backoff().first()).isEqualTo(Duration.ofMillis(250));
        assertThat(options.work().backoff().most()).isEqualTo(Duration.ofMinutes(1));
        assertThat(options.work().finish()).isEqualTo(FinishMode.IN_TRANSACTION);
        assertThat(options.keep()).contains(Duration.ofDays(30));
        assertThat(options.concurrency()).contains(3);
        assertThat(options.deadBlocksItsKey()).isTrue();
        assertThat(InboxOptions.of(Map.of("keep", "none")).keep()).isEmpty();
    }

    @Test
    void an_unknown_option_is_refused_and_the_nearest_suggested() {
        assertThatThrownBy(() -> InboxOptions.of(Map.of("max-atempts", "3")))
                .hasMessageContaining("'max-atempts'")
                .hasMessageContaining("Did you mean 'max-attempts'?");
    }

    @Test
    void an_unusable_value_is_refused_with_the_option_named() {
        assertThatThrownBy(() -> InboxOptions.of(Map.of("threads", "many"))).hasMessageContaining("'threads'");
        assertThatThrownBy(() -> InboxOptions.of(Map.of("max-run", "soon"))).hasMessageContaining("'max-run'");
        assertThatThrownBy(() -> InboxOptions.of(Map.of("virtual-threads", "yes")))
                .hasMessageContaining("true or false");
        assertThatThrownBy(() -> InboxOptions.of(Map.of("backoff", "1s"))).hasMessageContaining("1s..10m");
        assertThatThrownBy(() -> InboxOptions.of(Map.of("threads", "0"))).hasMessageContaining("1 to 10000");
        assertThatThrownBy(() -> InboxOptions.of(o -> o.maxBody(2_000_000))).hasMessageContaining("max-body");
    }
}
