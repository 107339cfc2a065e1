package dev.turno.spring.test;

import dev.turno.Turno;
import dev.turno.run.RunCounts;
import dev.turno.task.TaskState;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * Waits until the handlers have nothing left to do: no message or burst that waits, no task that is due, no run. Tasks for a later moment and
 * runs that are parked are not waited for.
 */
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
            add(left, "inbox " + inbox.name(), counts.pending(), "PENDING", counts.doing());
        });
        turno.openBuffers().forEach(buffer -> {
            var counts = buffer.counts();
            add(left, "buffer " + buffer.name(), counts.pending(), "PENDING", counts.doing());
        });
        turno.figures().taskTypes().forEach(type -> addTasks(left, type));
        RunCounts runs = turno.figures().runs();
        add(left, "runs", runs.pending(), "PENDING", runs.doing());
        return left;
    }

    private void addTasks(List<String> left, String type) {
        turno.figures().tasks(type).ifPresent(tasks -> {
            int doing = tasks.byState().getOrDefault(TaskState.DOING, 0);
            add(left, "task " + type, tasks.overdue(), "due", doing);
        });
    }

    private static void add(List<String> left, String where, int waiting, String how, int doing) {
        if (waiting + doing > 0) {
            left.add(where + " with " + waiting + " " + how + " and " + doing + " DOING");
        }
    }
}
