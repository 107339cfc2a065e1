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

    @Test
    void one_stream_more_than_may_be_open_is_told_that_they_are_too_many() {
        EventStreams streams = new EventStreams();
        streams.start();
        for (int i = 0; i < 100; i++) {
            assertThat(streams.open(() -> true)).isNotNull();
        }

        assertThatThrownBy(() -> streams.open(() -> true))
                .isInstanceOf(TooManyException.class)
                .hasMessageContaining("100 event streams");
        streams.stop();
    }
}
