package dev.turno.spring;

import dev.turno.TurnoOptions;
import dev.turno.TurnoOptions.SchemaMode;
import dev.turno.action.Action;
import dev.turno.action.ActionProperty;
import dev.turno.buffer.BufferOptions;
import dev.turno.inbox.InboxOptions;
import dev.turno.lock.LockTerms;
import dev.turno.run.RunOptions;
import dev.turno.task.TaskOptions;
import dev.turno.worker.Backoff;
import dev.turno.worker.FinishMode;
import dev.turno.worker.WorkerSettings;
import java.time.Duration;
import java.time.ZoneId;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * How Turno runs in this application. What is left out keeps Turno's own default.
 *
 * @param enabled whether there is a Turno at all
 * @param namespace applications that share a database and have different namespaces never see each other's rows
 * @param node the name under which people see this process; by default that of the machine
 * @param poll how long an idle loop waits before it looks again
 * @param drain how long running handlers may go on when the application stops
 * @param inboxes how the inboxes behave, by name
 * @param buffers how the buffers behave, by name
 * @param tasks how tasks are handled, by type
 * @param actions named lists of jobs, by name
 * @param zone whose clock the schedules of subjects mean; by default that of the machine
 */
@ConfigurationProperties("turno")
public record TurnoProperties(
        @DefaultValue("true") boolean enabled,
        @DefaultValue("default") String namespace,
        @Nullable String node,
        @DefaultValue("1s") Duration poll,
        @DefaultValue("10s") Duration drain,
        @DefaultValue Holder holder,
        @DefaultValue Schema schema,
        @DefaultValue Pool pool,
        @DefaultValue Locks locks,
        @DefaultValue Map<String, Inbox> inboxes,
        @DefaultValue Map<String, Buffer> buffers,
        @DefaultValue Map<String, Task> tasks,
        @DefaultValue Run runs,
        @DefaultValue Map<String, NamedAction> actions,
        @Nullable ZoneId zone) {

    /**
     * The process as the others see it.
     *
     * @param lease how long this process is believed to be alive without a sign of life
     */
    public record Holder(@DefaultValue("15s") Duration lease) {}

    /**
     * Turno's tables.
     *
     * @param mode what to do about Turno's tables at start-up: migrate, validate or none
     */
    public record Schema(@DefaultValue("migrate") SchemaMode mode) {}

    /**
     * Turno's own connections.
     *
     * @param own whether Turno has a pool of its own, made like the application's, so that busy handlers cannot keep it from giving its
     *     sign of life
     * @param size the most connections of that pool: one for the heartbeat, one to listen on PostgreSQL, one for locks, two for each
     *     inbox and buffer that is handled, three for each type of task, two for runs and two for each run under way; more are needed
     *     only while much is put at once
     */
    public record Pool(
            @DefaultValue("true") boolean own,
            @DefaultValue("10") int size) {}

    /**
     * The terms of locks that are taken without any.
     *
     * @param lease how long a lock is held without a renewal; default 30s
     * @param waitUpTo how long a busy lock is waited for; default 0
     * @param retries how many more times it is tried when it was busy or the database was away; default 0
     * @param delay the pause before each of these; default 500ms
     * @param renewing whether the lease is renewed until it is closed; default true
     * @param service under which service people see it; default spring.application.name
     * @param user under which user people see it
     * @param cleanUp whether this process removes locks that nobody took for long; default true
     * @param cleanUpEvery how often such locks are looked for; default 5m
     * @param keep how long a lock that nobody has stays before the clean-up removes it; default 1h
     */
    public record Locks(
            @Nullable Duration lease,
            @Nullable Duration waitUpTo,
            @Nullable Integer retries,
            @Nullable Duration delay,
            @Nullable Boolean renewing,
            @Nullable String service,
            @Nullable String user,
            @Nullable Boolean cleanUp,
            @Nullable Duration cleanUpEvery,
            @Nullable Duration keep) {

        void choose(LockTerms.Builder terms) {
            apply(lease, terms::lease);
            apply(waitUpTo, terms::waitUpTo);
            apply(retries, terms::retries);
            apply(delay, terms::delay);
            apply(renewing, terms::renewing);
            apply(service, terms::service);
            apply(user, terms::user);
            apply(cleanUp, terms::cleanUp);
            apply(cleanUpEvery, terms::cleanUpEvery);
            apply(keep, terms::keep);
        }
    }

    /**
     * The waits before retries.
     *
     * @param first the wait after the first failure; default 1s
     * @param most the longest wait; default 10m
     */
    public record Retry(
            @DefaultValue("1s") Duration first,
            @DefaultValue("10m") Duration most) {

        Backoff backoff() {
            return Backoff.exponential(first, most);
        }
    }

    /** The options that inboxes, buffers and tasks have in common. */
    private interface Work {

        @Nullable
        Integer threads();

        @Nullable
        Boolean virtualThreads();

        @Nullable
        Integer batch();

        @Nullable
        Duration maxRun();

        @Nullable
        Integer maxAttempts();

        @Nullable
        Retry backoff();

        @Nullable
        FinishMode finish();

        @Nullable
        Duration poll();

        default void chooseWork(WorkerSettings.Choices<?> options) {
            apply(threads(), options::threads);
            apply(virtualThreads(), options::virtualThreads);
            apply(batch(), options::batch);
            apply(maxRun(), options::maxRun);
            apply(maxAttempts(), options::maxAttempts);
            apply(backoff(), retry -> options.backoff(retry.backoff()));
            apply(finish(), options::finish);
            apply(poll(), options::poll);
        }
    }

    /**
     * How an inbox behaves.
     *
     * @param threads handlers at once in this process; default 16
     * @param virtualThreads run handlers on virtual threads, where the runtime has them; default false
     * @param batch the most messages taken or finished in one statement; default 500
     * @param maxRun how long a handler may run before it is interrupted and its claim lapses; default 5m
     * @param maxAttempts after so many a message is parked as DEAD; default 10
     * @param backoff the waits before retries
     * @param finish when a message's result is written; default batched
     * @param poll how long its idle loop waits before it looks again; default turno.poll
     * @param keep how long finished messages stay and their ids are recognised; default 7d; 0 deletes them when they are finished
     * @param concurrency the most messages under way at once in the whole cluster
     * @param maxBody the longest body in characters; default 262144
     * @param deadBlocksItsKey whether a DEAD message keeps the later ones of its ordering key waiting; default false
     */
    public record Inbox(
            @Nullable Integer threads,
            @Nullable Boolean virtualThreads,
            @Nullable Integer batch,
            @Nullable Duration maxRun,
            @Nullable Integer maxAttempts,
            @Nullable Retry backoff,
            @Nullable FinishMode finish,
            @Nullable Duration poll,
            @Nullable Duration keep,
            @Nullable Integer concurrency,
            @Nullable Integer maxBody,
            @Nullable Boolean deadBlocksItsKey)
            implements Work {

        private void choose(InboxOptions.Builder options) {
            chooseWork(options);
            keepFor(keep, options::keep, options::keepNone);
            apply(concurrency, options::concurrency);
            apply(maxBody, options::maxBody);
            apply(deadBlocksItsKey, options::deadBlocksItsKey);
        }
    }

    /**
     * How a buffer behaves.
     *
     * @param threads handlers at once in this process; default 16
     * @param virtualThreads run handlers on virtual threads, where the runtime has them; default false
     * @param batch the most bursts taken or finished in one statement; default 100
     * @param maxRun how long a handler may run before it is interrupted and its claim lapses; default 60s
     * @param maxAttempts after so many a burst is parked as DEAD; default 10
     * @param backoff the waits before retries
     * @param finish when a burst's result is written; default batched
     * @param poll how long its idle loop waits before it looks again; default turno.poll
     * @param quiet a burst is due when so long nothing came; default 10s
     * @param maxWait and at the latest so long after its first message; default six times quiet
     * @param maxCount or at so many messages; default 500
     * @param maxBytes or at so many bytes of bodies; default 1048576
     * @param flushWords or at a text that is one of these, whatever its case
     * @param maxBody the longest body in characters; default 65536
     * @param keepIds how long a message id is recognised; default 8d
     * @param expiry a burst whose newest message is older than this is parked as DEAD instead of handed over
     */
    public record Buffer(
            @Nullable Integer threads,
            @Nullable Boolean virtualThreads,
            @Nullable Integer batch,
            @Nullable Duration maxRun,
            @Nullable Integer maxAttempts,
            @Nullable Retry backoff,
            @Nullable FinishMode finish,
            @Nullable Duration poll,
            @Nullable Duration quiet,
            @Nullable Duration maxWait,
            @Nullable Integer maxCount,
            @Nullable Long maxBytes,
            @Nullable Set<String> flushWords,
            @Nullable Integer maxBody,
            @Nullable Duration keepIds,
            @Nullable Duration expiry)
            implements Work {

        private void choose(BufferOptions.Builder options) {
            chooseWork(options);
            apply(quiet, options::quiet);
            apply(maxWait, options::maxWait);
            apply(maxCount, options::maxCount);
            apply(maxBytes, options::maxBytes);
            apply(flushWords, words -> options.flushWords(words.toArray(String[]::new)));
            apply(maxBody, options::maxBody);
            apply(keepIds, options::keepIds);
            apply(expiry, options::expiry);
        }
    }

    /**
     * How tasks of a type are handled.
     *
     * @param threads handlers at once in this process; default 16
     * @param virtualThreads run handlers on virtual threads, where the runtime has them; default false
     * @param batch the most tasks taken or finished in one statement; default 500
     * @param maxRun how long a handler may run before it is interrupted and its claim lapses; default 5m
     * @param maxAttempts after so many a task is parked as DEAD; default 10
     * @param backoff the waits before retries
     * @param finish when a task's result is written; default batched
     * @param poll how long its idle loop waits before it looks again; default turno.poll
     * @param keep how long finished tasks stay and their keys are recognised; default 7d; 0 deletes them when they are finished
     * @param inMemory the most tasks of its share that this process has in memory; default 100000
     * @param memory the most characters of bodies that this process has in memory; default 64000000
     */
    public record Task(
            @Nullable Integer threads,
            @Nullable Boolean virtualThreads,
            @Nullable Integer batch,
            @Nullable Duration maxRun,
            @Nullable Integer maxAttempts,
            @Nullable Retry backoff,
            @Nullable FinishMode finish,
            @Nullable Duration poll,
            @Nullable Duration keep,
            @Nullable Integer inMemory,
            @Nullable Long memory)
            implements Work {

        private void choose(TaskOptions.Builder options) {
            chooseWork(options);
            keepFor(keep, options::keep, options::keepNone);
            apply(inMemory, options::inMemory);
            apply(memory, options::memory);
        }
    }

    /**
     * How runs behave.
     *
     * @param perNode the most runs under way in this process; default 4
     * @param perCluster the most runs under way in the whole cluster; by default as it was set before, 4 at first
     * @param maxQueued the most runs that wait; by default as it was set before, 32 at first
     * @param maxPage how long a page may take before the run's claim lapses; default 5m
     * @param maxAttempts after so many takings without a stored page a run is DEAD; default 10
     * @param backoff the waits before retries
     * @param poll how long an idle loop waits before it looks again; default turno.poll
     * @param keep how long runs that are DONE or CANCELLED stay; default 30d
     */
    public record Run(
            @Nullable Integer perNode,
            @Nullable Integer perCluster,
            @Nullable Integer maxQueued,
            @Nullable Duration maxPage,
            @Nullable Integer maxAttempts,
            @Nullable Retry backoff,
            @Nullable Duration poll,
            @Nullable Duration keep) {

        void choose(RunOptions.Builder options) {
            apply(perNode, options::perNode);
            apply(perCluster, options::perCluster);
            apply(maxQueued, options::maxQueued);
            apply(maxPage, options::maxPage);
            apply(maxAttempts, options::maxAttempts);
            apply(backoff, retry -> options.backoff(retry.backoff()));
            apply(poll, options::poll);
            apply(keep, options::keep);
        }
    }

    /**
     * A named list of jobs.
     *
     * @param description for people
     * @param jobs in the order in which they run
     * @param properties on a schedule it runs on subjects for which one of these is true
     * @param incremental whether its jobs are asked to look only at what is new
     * @param runOnSchedule whether it runs on a subject's schedule
     * @param alwaysRunOnSchedule whether it runs on a schedule whatever the properties say
     */
    public record NamedAction(
            @DefaultValue("") String description,
            @DefaultValue List<String> jobs,
            @DefaultValue List<String> properties,
            @DefaultValue("false") boolean incremental,
            @DefaultValue("false") boolean runOnSchedule,
            @DefaultValue("false") boolean alwaysRunOnSchedule) {

        Action named(String name) {
            List<ActionProperty> all =
                    properties.stream().map(one -> new ActionProperty(one, "")).toList();
            return new Action(
                    name,
                    description,
                    jobs,
                    all,
                    incremental,
                    runOnSchedule || alwaysRunOnSchedule,
                    alwaysRunOnSchedule);
        }
    }

    /** Zero: not at all. */
    private static void keepFor(@Nullable Duration wished, Consumer<Duration> some, Runnable none) {
        apply(wished, time -> {
            if (time.isZero()) {
                none.run();
            } else {
                some.accept(time);
            }
        });
    }

    /** What was left out stays as it is. */
    private static <T> void apply(@Nullable T wished, Consumer<T> setter) {
        if (wished != null) {
            setter.accept(wished);
        }
    }

    TurnoOptions options() {
        TurnoOptions options = TurnoOptions.defaults()
                .withNamespace(namespace)
                .withLease(holder.lease())
                .withSchema(schema.mode())
                .withDrain(drain);
        return node == null ? options : options.withNode(node);
    }

    /** Refuses what is out of bounds, before anything has been started. */
    void check() {
        inboxes.keySet().forEach(name -> check("turno.inboxes." + name, () -> inbox(name)));
        buffers.keySet().forEach(name -> check("turno.buffers." + name, () -> buffer(name)));
        tasks.keySet().forEach(name -> check("turno.tasks." + name, () -> task(name)));
    }

    private static void check(String where, Runnable options) {
        try {
            options.run();
        } catch (IllegalArgumentException e) {
            throw new StartException(String.valueOf(e.getMessage()), "Correct it under '" + where + "'.", e);
        }
    }

    /** The options of an inbox, also of one that is not named here. */
    InboxOptions inbox(String name) {
        return InboxOptions.of(options -> {
            options.poll(poll);
            ifNamed(inboxes, name, inbox -> inbox.choose(options));
        });
    }

    /** The options of a buffer, also of one that is not named here. */
    BufferOptions buffer(String name) {
        return BufferOptions.of(options -> {
            options.poll(poll);
            ifNamed(buffers, name, buffer -> buffer.choose(options));
        });
    }

    /** The options of a type of task, also of one that is not named here. */
    TaskOptions task(String type) {
        return TaskOptions.of(options -> {
            options.poll(poll);
            ifNamed(tasks, type, task -> task.choose(options));
        });
    }

    private static <T> void ifNamed(Map<String, T> all, String name, Consumer<T> then) {
        apply(all.get(name), then);
    }
}
