package dev.turno.action;

import dev.turno.run.SubmitOutcome;
import dev.turno.watch.Watcher;
import dev.turno.watch.WorkEvent;
import dev.turno.worker.Backoff;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Function;
import java.util.function.Predicate;

/**
 * Runs the actions of subjects by time. Of all instances one uses each moment: moving the schedule on and submitting the chain
 * are one transaction. Moments that passed while nobody was there are made up for once. Shared by threads; owns one thread
 * between {@link #start} and {@link #close}.
 */
public final class SubjectScheduler implements AutoCloseable {

    public static final int LONGEST_SCHEDULE = 200;
    private static final Duration EVERY = Duration.ofMillis(500);
    private static final Backoff TROUBLE = Backoff.exponential(EVERY, Duration.ofMinutes(1));
    private static final Backoff AWAY = Backoff.exponential(EVERY, Duration.ofSeconds(4));
    private static final long FORGOTTEN_AFTER = Duration.ofMinutes(10).toNanos();

    /** A subject that failed so often is left alone until then, by {@link System#nanoTime}. */
    private record Rest(int failures, long until) {

        private static final Rest NONE = new Rest(0, 0);
    }

    private final SubjectScheduleTable table;
    private final ActionExecutor executor;
    private final Schedule.Reader reader;
    private final Function<String, Optional<Subject>> subjects;
    private final Watcher watcher;
    private final Map<String, Rest> resting = new ConcurrentHashMap<>();
    private final Thread thread = new Thread(this::loop, "turno-schedules");
    private volatile boolean closed;

    SubjectScheduler(
            SubjectScheduleTable table,
            ActionExecutor executor,
            Schedule.Reader reader,
            Function<String, Optional<Subject>> subjects,
            Watcher watcher) {
        this.table = table;
        this.executor = executor;
        this.reader = reader;
        this.subjects = subjects;
        this.watcher = watcher;
        thread.setDaemon(true);
    }

    synchronized void start() {
        if (thread.getState() == Thread.State.NEW) {
            thread.start();
        }
    }

    /**
     * From now on the actions that apply to this subject run at these moments; answers the first. Set again as it was, for
     * example at every start of the application, a schedule keeps the moment that is due already.
     *
     * @throws IllegalArgumentException if the schedule cannot be read; nothing was changed
     */
    public Optional<Instant> schedule(String subject, String schedule) {
        if (schedule.length() > LONGEST_SCHEDULE) {
            throw new IllegalArgumentException("The schedule of '" + subject + "' has " + schedule.length()
                    + " characters; use at most " + LONGEST_SCHEDULE + ". Nothing was changed.");
        }
        Optional<Instant> next = reader.read(schedule).after(table.now());
        table.set(subject, schedule, next);
        return next;
    }

    /** False if it had none. What is queued or under way goes on. */
    public boolean unschedule(String subject) {
        return table.remove(subject);
    }

    /** The schedules by subject, after this one. */
    public List<ScheduledSubject> list(Optional<String> after, int limit) {
        return table.list(after.orElse(""), limit);
    }

    /** Submits what is due now, by hand; answers how many subjects this process submitted. */
    public int fire() {
        return fire(due -> true);
    }

    private int fire(Predicate<SubjectScheduleTable.Due> wanted) {
        int submitted = 0;
        Optional<SubjectScheduleTable.Due> last = Optional.empty();
        do {
            List<SubjectScheduleTable.Due> due = table.due(last);
            Instant now = table.now(); // read after them: the next moment of each lies after the one that is due
            submitted += (int)
                    due.stream().filter(wanted).filter(one -> fire(one, now)).count();
            last = due.size() < SubjectScheduleTable.AT_ONCE ? Optional.empty() : Optional.of(due.get(due.size() - 1));
        } while (last.isPresent() && !closed); // those that fail stay due, and must not hide the others
        return submitted;
    }

    private boolean fire(SubjectScheduleTable.Due due, Instant now) {
        try {
            Optional<Instant> next = reader.read(due.schedule()).after(now);
            Optional<Subject> subject = subjects.apply(due.subject());
            Optional<SubmitOutcome> outcome = table.transaction(
                    "The actions of '" + due.subject() + "' were not submitted; it is tried again.",
                    session -> table.move(session, due, next) && subject.isPresent()
                            ? executor.executeAll(session.connection(), subject.get())
                            : Optional.empty());
            outcome.filter(SubmitOutcome.Refused.class::isInstance)
                    .map(SubmitOutcome.Refused.class::cast)
                    .ifPresent(refused -> watcher.on(new WorkEvent.ScheduleRefused(due.subject(), refused.because())));
            resting.remove(due.subject());
            return outcome.filter(SubmitOutcome.Queued.class::isInstance).isPresent();
        } catch (Throwable e) { // also an error of the user's code
            // One subject's trouble must not keep the others from their moments.
            watcher.on(new WorkEvent.Trouble("schedule of " + due.subject(), e, rest(due.subject())));
            return false;
        }
    }

    private Duration rest(String subject) {
        int failures = resting.getOrDefault(subject, Rest.NONE).failures() + 1;
        Duration wait = TROUBLE.after(failures);
        resting.put(subject, new Rest(failures, System.nanoTime() + wait.toNanos()));
        return wait;
    }

    private boolean isRested(SubjectScheduleTable.Due due) {
        Rest rest = resting.get(due.subject());
        return rest == null || System.nanoTime() - rest.until() >= 0;
    }

    private void loop() {
        int failures = 0;
        while (!closed) {
            Duration wait = EVERY;
            try {
                fire(this::isRested);
                failures = 0;
            } catch (Throwable e) {
                wait = AWAY.after(++failures);
                watcher.on(new WorkEvent.Trouble("schedules", e, wait));
            }
            long now = System.nanoTime();
            resting.values().removeIf(rest -> now - rest.until() > FORGOTTEN_AFTER); // no longer due
            LockSupport.parkNanos(wait.toNanos());
        }
    }

    @Override
    public void close() {
        closed = true;
        LockSupport.unpark(thread);
    }
}
