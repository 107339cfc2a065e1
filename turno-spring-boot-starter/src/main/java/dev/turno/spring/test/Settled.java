package dev.turno.spring.test;

import dev.turno.Turno;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** Waits until the handlers have nothing left to do. */
public final class Settled {

    private static final Duration USUALLY = Duration.ofSeconds(10);
    private static final Duration PAUSE = Duration.ofMillis(10);

    private final Turno turno;

    Settled(Turno turno) {
        this.turno = turno;
    }

    /** Waits for ten seconds at most. */
    public void await() throws InterruptedException {
        await(USUALLY);
    }

    /** @throws AssertionError if something is still waiting or under way then, which is named */
    public void await(Duration atMost) throws InterruptedException {
        long until = System.nanoTime() + atMost.toNanos();
        List<String> left = left();
        while (!left.isEmpty()) {
            if (System.nanoTime() - until > 0) {
                throw new AssertionError("After " + atMost + " there is still something to do: "
                        + String.join(", ", left) + ". It may wait for a retry, or its handler may be missing.");
            }
            Thread.sleep(PAUSE.toMillis());
            left = left();
        }
    }

    private List<String> left() {
        List<String> left = new ArrayList<>();
        turno.openInboxes().forEach(inbox -> {
            var counts = inbox.counts();
            add(left, "inbox " + inbox.name(), counts.pending(), counts.doing());
        });
        turno.openBuffers().forEach(buffer -> {
            var counts = buffer.counts();
            add(left, "buffer " + buffer.name(), counts.pending(), counts.doing());
        });
        return left;
    }

    private static void add(List<String> left, String where, int pending, int doing) {
        if (pending + doing > 0) {
            left.add(where + " with " + pending + " PENDING and " + doing + " DOING");
        }
    }
}
