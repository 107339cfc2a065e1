package dev.turno.buffer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class BufferOptionsTest {

    @Test
    void what_is_left_out_has_its_default() {
        BufferOptions options = BufferOptions.defaults();

        assertThat(options.quiet()).isEqualTo(Duration.ofSeconds(10));
        assertThat(options.maxWait()).isEqualTo(Duration.ofMinutes(1));
        assertThat(options.work().maxRun()).isEqualTo(Duration.ofSeconds(60));
        assertThat(options.keepIds()).isEqualTo(Duration.ofDays(8));
        assertThat(options.expiry()).isEmpty();
    }

    @Test
    void a_wrong_option_is_named_with_what_to_use() {
        assertThatThrownBy(() -> BufferOptions.of(o -> o.quiet(Duration.ZERO))).hasMessageContaining("'quiet'");
        assertThatThrownBy(() ->
                        BufferOptions.of(o -> o.quiet(Duration.ofSeconds(5)).maxWait(Duration.ofSeconds(4))))
                .hasMessageContaining("at least quiet");
        assertThatThrownBy(() -> BufferOptions.of(o -> o.maxCount(0))).hasMessageContaining("1 to 10000");
        assertThatThrownBy(() -> BufferOptions.of(o -> o.maxBody(2_000_000))).hasMessageContaining("1048576");
    }

    @Test
    void a_flush_word_is_the_whole_text_whatever_its_case() {
        BufferOptions options = BufferOptions.of(o -> o.flushWords("Enviar"));

        assertThat(options.isFlushWord(BufferMessage.of(" ENVIAR\n"))).isTrue();
        assertThat(options.isFlushWord(BufferMessage.of("enviar ya"))).isFalse();
        assertThat(options.isFlushWord(BufferMessage.of("enviar").withType("image")))
                .isFalse();
    }
}
