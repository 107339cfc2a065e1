package dev.turno.worker;

import static org.assertj.core.api.Assertions.assertThat;

import dev.turno.claim.Claim;
import dev.turno.claim.Verdict;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class FinishBatcherTest {

    private static final long REFUSED = 1;

    private final BlockingQueue<Long> written = new LinkedBlockingQueue<>();
    private final CountDownLatch refused = new CountDownLatch(1);
    private final AtomicInteger refusedWithOthers = new AtomicInteger();
    private volatile boolean refuses = true;

    @Test
    void a_lone_verdict_that_cannot_be_written_does_not_keep_those_that_come_after_it() throws InterruptedException {
        try (FinishBatcher<String> batcher =
                new FinishBatcher<>("inbox orders", 10, this::write, () -> false, event -> {})) {
            batcher.start();
            batcher.add(item(REFUSED));
            assertThat(refused.await(10, TimeUnit.SECONDS)).isTrue();

            batcher.add(item(2));

            assertThat(written.poll(10, TimeUnit.SECONDS)).isEqualTo(2);
        }
    }

    @Test
    void a_verdict_that_was_refused_together_with_others_is_not_joined_with_others_again() throws InterruptedException {
        try (FinishBatcher<String> batcher =
                new FinishBatcher<>("inbox orders", 10, this::write, () -> false, event -> {})) {
            batcher.add(item(REFUSED));
            batcher.add(item(2));
            batcher.start();
            assertThat(written.poll(10, TimeUnit.SECONDS)).isEqualTo(2);
            int before = refusedWithOthers.get();

            for (long id = 3; id < 20; id++) {
                batcher.add(item(id));
                assertThat(written.poll(10, TimeUnit.SECONDS)).isEqualTo(id);
                Thread.sleep(20);
            }

            assertThat(refusedWithOthers).hasValue(before);
        }
    }

    @Test
    void a_verdict_that_was_refused_for_a_while_is_written_at_last() throws InterruptedException {
        try (FinishBatcher<String> batcher =
                new FinishBatcher<>("inbox orders", 10, this::write, () -> false, event -> {})) {
            batcher.add(item(REFUSED));
            batcher.add(item(2));
            batcher.start();
            assertThat(written.poll(10, TimeUnit.SECONDS)).isEqualTo(2);

            refuses = false;

            assertThat(written.poll(10, TimeUnit.SECONDS)).isEqualTo(REFUSED);
        }
    }

    @Test
    void nothing_more_is_to_be_taken_while_all_verdicts_are_refused() throws InterruptedException {
        try (FinishBatcher<String> batcher = new FinishBatcher<>(
                "inbox orders",
                10,
                items -> {
                    throw new IllegalStateException("All are refused.");
                },
                () -> false,
                event -> {})) {
            batcher.start();
            for (long id = 0; id < 500 && !batcher.isFull(); id++) {
                batcher.add(item(id));
                Thread.sleep(20);
            }
            assertThat(batcher.isFull()).isTrue();

            Thread.sleep(2_000); // they are tried by themselves by now

            assertThat(batcher.isFull()).isTrue();
        }
    }

    private void write(List<FinishBatcher.Item<String>> items) {
        if (refuses && items.stream().anyMatch(item -> item.verdict().claim().id() == REFUSED)) {
            if (items.size() > 1) {
                refusedWithOthers.incrementAndGet();
            }
            refused.countDown();
            throw new IllegalStateException("It is refused.");
        }
        items.forEach(item -> written.add(item.verdict().claim().id()));
    }

    @SuppressWarnings("NullAway") // what runs is for those who write
    private static FinishBatcher.Item<String> item(long id) {
        return new FinishBatcher.Item<>(null, new Verdict.Done(new Claim(id, 1)));
    }
}
