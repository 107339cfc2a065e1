package dev.turno.worker;

import dev.turno.claim.Finish;
import dev.turno.claim.Result;
import dev.turno.claim.Verdict;
import dev.turno.watch.Watcher;
import dev.turno.watch.WorkEvent;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Applies the policy for attempts and backoff to what handlers say, and tells the watcher how it ended. Stateless. */
final class Verdicts {

    private final String who;
    private final WorkerSettings settings;
    private final Watcher watcher;

    Verdicts(String who, WorkerSettings settings, Watcher watcher) {
        this.who = who;
        this.settings = settings;
        this.watcher = watcher;
    }

    Verdict of(Running<?> running, @Nullable Result result) {
        if (result instanceof Result.Done) {
            return done(running);
        } else if (result instanceof Result.Retry retry) {
            return again(running, retry.in(), retry.because());
        } else if (result instanceof Result.Reject reject) {
            return dead(running, reject.because());
        }
        return again(running, Optional.empty(), "The handler returned null instead of a Result.");
    }

    private Verdict done(Running<?> running) {
        if (running.isFinishedInTransaction()) {
            return settle(running, "The transaction in which the handler finished this item was rolled back.");
        }
        if (settings.finish() == FinishMode.IN_TRANSACTION) {
            return again(
                    running,
                    Optional.empty(),
                    "The handler returned done, but " + who + " is set to finish in the handler's transaction, and"
                            + " neither turn.commit(connection) nor turn.finishIn(connection) was called. Its effects may"
                            + " have been committed.");
        }
        return new Verdict.Done(running.claim());
    }

    Verdict failed(Running<?> running, Throwable e) {
        return again(running, Optional.empty(), textOf(e));
    }

    Verdict usedUp(Running<?> running) {
        return dead(
                running,
                "All " + settings.maxAttempts() + " attempts ended without a result: each time the process died, the"
                        + " handler ran for longer than " + settings.maxRun()
                        + ", or the transaction in which it finished was rolled back. It was not run again.");
    }

    private Verdict again(Running<?> running, Optional<Duration> in, String error) {
        if (running.isFinishedInTransaction()) {
            return settle(running, error);
        }
        if (running.hasUsedUp(settings.maxAttempts())) {
            return dead(running, error);
        }
        Duration wait = in.orElseGet(() -> settings.backoff().after(running.attempt()));
        watcher.on(new WorkEvent.Failed(who, running.key(), running.attempt(), error, wait));
        return new Verdict.Again(running.claim(), wait, ErrorText.of(error));
    }

    private Verdict settle(Running<?> running, String error) {
        Duration wait = settings.backoff().after(running.attempt());
        boolean last = running.hasUsedUp(settings.maxAttempts());
        return new Verdict.Settle(running.claim(), wait, ErrorText.of(error), last);
    }

    /** What is to be written next, because the transaction of a last attempt was rolled back. */
    static Optional<Verdict> next(Verdict written, Finish finish) {
        return finish instanceof Finish.Undone && written instanceof Verdict.Settle settle && settle.last()
                ? Optional.of(new Verdict.Dead(settle.claim(), settle.error()))
                : Optional.empty();
    }

    private static Verdict dead(Running<?> running, String error) {
        return new Verdict.Dead(running.claim(), ErrorText.of(error));
    }

    <R> void tell(List<FinishBatcher.Item<R>> items, List<Finish> finishes) {
        int done = 0;
        int again = 0;
        int dead = 0;
        int unknown = 0;
        List<Duration> took = new ArrayList<>(items.size());
        for (int i = 0; i < items.size(); i++) {
            Running<R> running = items.get(i).running();
            Finish finish = finishes.get(i);
            if (finish instanceof Finish.Open
                    || next(items.get(i).verdict(), finish).isPresent()) {
                continue; // it is told when it is written
            }
            took.add(running.spent());
            if (finish instanceof Finish.Lost lost) {
                watcher.on(new WorkEvent.Lost(who, running.key(), running.fence(), lost.because()));
            } else if (finish instanceof Finish.Unknown) {
                unknown++;
            } else if (finish instanceof Finish.Undone && items.get(i).verdict() instanceof Verdict.Settle undone) {
                again++;
                watcher.on(new WorkEvent.Failed(who, running.key(), running.attempt(), undone.error(), undone.in()));
            } else if (finish instanceof Finish.Kept) {
                Verdict verdict = items.get(i).verdict();
                if (verdict instanceof Verdict.Again) {
                    again++;
                } else if (verdict instanceof Verdict.Dead parked) {
                    dead++;
                    watcher.on(new WorkEvent.Dead(who, running.key(), running.attempt(), parked.error()));
                } else {
                    done++;
                }
            }
        }
        watcher.on(new WorkEvent.Finished(who, done, again, dead, unknown, took));
    }

    private static String textOf(Throwable e) {
        try {
            StringWriter text = new StringWriter();
            e.printStackTrace(new PrintWriter(text));
            return text.toString();
        } catch (Throwable worse) {
            return e.getClass().getName() + ", which could not be printed: "
                    + worse.getClass().getName();
        }
    }
}
