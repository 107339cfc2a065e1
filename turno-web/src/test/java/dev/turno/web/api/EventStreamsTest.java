package dev.turno.web.api;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.turno.watch.WorkEvent;
import java.time.Duration;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class EventStreamsTest {

    private static final Duration SOON = Duration.ofSeconds(10);

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

    @Test
    void a_stream_for_which_there_was_no_thread_misses_that_event_and_hears_the_next() {
        AtomicInteger asked = new AtomicInteger();
        ExecutorService writers = new ThreadPoolExecutor(0, 10, 1, TimeUnit.SECONDS, new SynchronousQueue<>()) {
            @Override
            public void execute(Runnable work) {
                if (asked.incrementAndGet() <= 2) {
                    throw new RejectedExecutionException("full");
                }
                super.execute(work);
            }
        };
        EventStreams streams = new EventStreams();
        streams.start(writers);

        assertThat(streams.open(() -> true)).isNotNull();
        streams.on(new WorkEvent.Taken("inbox orders", 1));
        await().atMost(SOON).until(() -> asked.get() == 2);
        streams.on(new WorkEvent.Taken("inbox orders", 2));

        await().atMost(SOON).until(() -> asked.get() == 3);
        streams.stop();
    }
}
