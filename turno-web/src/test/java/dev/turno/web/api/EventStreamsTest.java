package dev.turno.web.api;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

class EventStreamsTest {

    @Test
    void streams_can_be_opened_again_after_a_stop_and_a_start() {
        EventStreams streams = new EventStreams();
        streams.start();
        streams.stop();
        assertThatThrownBy(() -> streams.open(() -> true)).isInstanceOf(UnavailableException.class);

        streams.start();

        assertThat(streams.isRunning()).isTrue();
        assertThat(streams.open(() -> true)).isNotNull();
        streams.stop();
    }
}
