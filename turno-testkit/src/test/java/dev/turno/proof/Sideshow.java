package dev.turno.proof;

import dev.turno.Turno;
import dev.turno.buffer.BufferMessage;
import dev.turno.buffer.BufferOptions;
import dev.turno.buffer.Buffers;
import dev.turno.claim.DatabaseAwayException;
import dev.turno.claim.Result;
import dev.turno.claim.Turn;
import dev.turno.lock.Lease;
import dev.turno.lock.LockTerms;
import dev.turno.lock.TakeOutcome;
import dev.turno.task.NewTask;
import dev.turno.task.TaskOptions;
import dev.turno.worker.Backoff;
import dev.turno.worker.FinishMode;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import javax.sql.DataSource;

/**
 * Tasks, bursts and locks beside the messages of a proof, by one thread in this process until it is closed. Effects go to the
 * {@link Ledger} in the finishing transaction, tasks by their number, messages of bursts by their id.
 */
final class Sideshow implements AutoCloseable {

    private static final String TYPE = "report";
    private static final long PAUSE = TimeUnit.MILLISECONDS.toNanos(20);
    private static final long PATIENCE_MS = 60_000;
    private static final Backoff QUICK = Backoff.exponential(Duration.ofMillis(50), Duration.ofSeconds(1));
    private static final int KEYS = 5;

    private final Turno turno;
    private final DataSource source;
    private final Buffers talks;
    private final LockTerms terms = LockTerms.of(choices -> choices.lease(Duration.ofSeconds(2)));
    private final Set<String> tasks = Collections.synchronizedSet(new HashSet<>());
    private final Set<String> messages = Collections.synchronizedSet(new HashSet<>());
    private final List<Long> fences = Collections.synchronizedList(new ArrayList<>());
    private final Thread thread = new Thread(this::produce, "sideshow");
    private volatile boolean closed;

    private Sideshow(Turno turno, DataSource source) {
        this.turno = turno;
        this.source = source;
        this.talks = turno.buffers(
                "talks",
                BufferOptions.of(choices -> choices.quiet(Duration.ofMillis(200))
                        .threads(2)
                        .backoff(QUICK)
                        .maxAttempts(1_000)
                        .finish(FinishMode.IN_TRANSACTION)));
    }

    static Sideshow start(Turno turno, DataSource source) {
        Sideshow show = new Sideshow(turno, source);
        turno.handle(
                show.talks,
                (burst, turn) -> show.write(
                        burst.messages().stream()
                                .map(message -> message.id().orElseThrow())
                                .toList(),
                        turn));
        turno.handleTasks(
                TYPE,
                TaskOptions.of(choices ->
                        choices.threads(2).backoff(QUICK).maxAttempts(1_000).finish(FinishMode.IN_TRANSACTION)),
                (task, turn) -> show.write(List.of("task " + task.id()), turn));
        show.thread.start();
        return show;
    }

    /** Tasks and messages of bursts. */
    Set<String> acknowledged() {
        Set<String> all = new HashSet<>(tasks);
        all.addAll(messages);
        return all;
    }

    /** Of the one lock, in the order in which it was taken. */
    List<Long> fences() {
        return List.copyOf(fences);
    }

    String figures() {
        return tasks.size() + " tasks, " + messages.size() + " messages of bursts, " + fences.size()
                + " takings of a lock";
    }

    private Result write(List<String> ids, Turn turn) throws SQLException {
        try (Connection connection = source.getConnection()) {
            connection.setAutoCommit(false);
            for (String id : ids) {
                Ledger.write(connection, new Ledger.Entry(id, "here", turn.fence(), System.currentTimeMillis()));
            }
            turn.finishIn(connection);
            connection.commit();
        }
        return Result.done();
    }

    private void produce() {
        for (int n = 0; !closed; n++) {
            String id = "talk" + n;
            String key = "key" + n % KEYS;
            untilAnswered(() -> {
                talks.add(key, BufferMessage.of(id, "hello"));
                messages.add(id);
            });
            untilAnswered(() -> tasks.add("task " + scheduled()));
            untilAnswered(this::lock);
            LockSupport.parkNanos(PAUSE);
        }
    }

    private long scheduled() {
        return turno.tasks()
                .schedule(NewTask.in(TYPE, "{}", Duration.ofMillis(300)))
                .id();
    }

    private void lock() {
        TakeOutcome<Lease> outcome = turno.locks().tryTake("counter", terms);
        if (outcome instanceof TakeOutcome.Taken<Lease> taken) {
            try (Lease lease = taken.lease()) {
                fences.add(lease.fence());
            }
        }
    }

    private void untilAnswered(Runnable act) {
        boolean answered = false;
        while (!answered && !Thread.currentThread().isInterrupted()) {
            try {
                act.run();
                answered = true;
            } catch (DatabaseAwayException away) {
                LockSupport.parkNanos(PAUSE);
            }
        }
    }

    /** Returns when what was begun is answered; what was acknowledged is still being handled. */
    @Override
    public void close() throws InterruptedException {
        closed = true;
        thread.join(PATIENCE_MS);
        if (thread.isAlive()) {
            thread.interrupt();
            throw new AssertionError("No answer within " + PATIENCE_MS + " ms.");
        }
    }
}
