package dev.turno.worker;

import static org.assertj.core.api.Assertions.assertThat;

import dev.turno.claim.Claim;
import dev.turno.claim.Verdict;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class FinishBatcherTest {

    private static final long REFUSED = 1;

    private final BlockingQueue<Long> written = new LinkedBlockingQueue<>();
    private final CountDownLatch refused = new CountDownLatch(1);

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

    private void write(List<FinishBatcher.Item<String>> items) {
        if (items.stream().anyMatch(item -> item.verdict().claim().id() == REFUSED)) {
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
