package dev.turno;

import dev.turno.action.Actions;
import dev.turno.action.Schedule;
import dev.turno.action.Subject;
import dev.turno.buffer.BufferOptions;
import dev.turno.buffer.Buffers;
import dev.turno.buffer.BurstHandler;
import dev.turno.claim.HolderId;
import dev.turno.holder.Heartbeat;
import dev.turno.holder.Holder;
import dev.turno.inbox.Inbox;
import dev.turno.inbox.InboxHandler;
import dev.turno.inbox.InboxOptions;
import dev.turno.lock.LockTerms;
import dev.turno.lock.Locks;
import dev.turno.run.RunOptions;
import dev.turno.run.Runs;
import dev.turno.run.RunsBean;
import dev.turno.sql.Database;
import dev.turno.sql.Schema;
import dev.turno.task.Cron;
import dev.turno.task.CronRun;
import dev.turno.task.TaskHandler;
import dev.turno.task.TaskOptions;
import dev.turno.task.Tasks;
import dev.turno.time.Time;
import dev.turno.watch.Counters;
import dev.turno.watch.Log;
import dev.turno.watch.Watcher;
import dev.turno.worker.Deadlines;
import dev.turno.worker.Wakeups;
import dev.turno.worker.Worker;
import java.time.Duration;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CopyOnWriteArraySet;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;
import javax.sql.DataSource;
import org.slf4j.LoggerFactory;

/**
 * Turno in one process: give it a data source, get its features. Shared by threads. Close it to give back what it holds.
 *
 * <pre>{@code
 * try (Turno turno = Turno.start(dataSource)) {
 *     Inbox orders = turno.inbox("orders");
 *     turno.handle(orders, (message, turn) -> Result.done());
 *     orders.put("order-1", "{}");
 * }
 * }</pre>
 */
public final class Turno implements AutoCloseable {

    private static final Duration LONGEST_ANSWER = Duration.ofSeconds(10); // to the question which tables there are

    private final TurnoOptions options;
    private final Database database;
    private final Counters counters = new Counters();
    private final Wakeups wakeups = new Wakeups();
    private final Deadlines deadlines = new Deadlines();
    private final Heartbeat heartbeat;
    private final Locks locks;
    private final Tasks tasks;
    private final Figures figures;
    private final Retention retention;
    private final Worker.Surroundings around;
    private final AtomicReference<Runs> runs = new AtomicReference<>();
    private final Set<AutoCloseable> schedulers = new CopyOnWriteArraySet<>();
    private final List<AutoCloseable> shown = new CopyOnWriteArrayList<>(); // in JMX, while runs are worked
    private final Map<String, Inbox> inboxes = new ConcurrentHashMap<>();
    private final Map<String, Buffers> buffers = new ConcurrentHashMap<>();
    private final List<Worker<?>> workers = new CopyOnWriteArrayList<>();
    private volatile boolean started;
    private volatile boolean closed;

    private Turno(DataSource source, TurnoOptions options) {
        this.options = options;
        this.database = Database.open(
                source, options.time(), options.lease().multipliedBy(2).dividedBy(3));
        prepareSchema();
        Watcher watcher = everybody();
        this.heartbeat =
                new Heartbeat(database, options.namespace(), options.node(), options.lease(), options.ids(), watcher);
        this.locks = new Locks(database, options.namespace(), heartbeat, deadlines, watcher);
        this.around = new Worker.Surroundings(
                heartbeat,
                wakeups,
                deadlines,
                options.time(),
                watcher,
                database.dialect().survivesInterrupts());
        this.tasks = new Tasks(database, options.namespace(), around);
        this.figures = new Figures(database, options, tasks, wakeups, watcher);
        this.retention = new Retention(watcher);
        retention.of("tasks", tasks::prune);
        retention.of("dead holders", heartbeat::forgetDead);
        retention.of("what the database's file has outlived", database::tidy);
        List.of("inbox", "buffer", "task", "run").forEach(heartbeat::frees);
        heartbeat.whenReaped(wakeups::ringAll);
        heartbeat.register();
    }

    /** Starts with the default options. */
    public static Turno start(DataSource source) {
        return start(source, TurnoOptions.defaults());
    }

    public static Turno start(DataSource source, TurnoOptions options) {
        Turno turno = open(source, options);
        turno.startThreads();
        return turno;
    }

    /**
     * Without threads: nothing is renewed, noticed or handled but by hand, step by step. For tests with moved time.
     */
    public static Turno open(DataSource source, TurnoOptions options) {
        return new Turno(source, options);
    }

    /** The script that makes Turno's tables on {@code postgresql}, {@code mariadb} or {@code h2}, for people and for Flyway. */
    public static String schemaScript(String dialect) {
        return Schema.script(dialect);
    }

    /** Refuses a database whose tables are not those that this code needs, and says what to do. Nothing is changed. */
    public static void validate(DataSource source) {
        new Schema(Database.open(source, Time.ofDatabase(), LONGEST_ANSWER)).validate();
    }

    private void prepareSchema() {
        Schema schema = new Schema(database);
        switch (options.schema()) {
            case MIGRATE -> schema.migrate(options.node());
            case VALIDATE -> schema.validate();
            case NONE -> {
                // The user answers for the tables.
            }
        }
    }

    private Watcher everybody() {
        List<Watcher> all = new ArrayList<>(options.watchers());
        all.add(counters);
        all.add(new Log());
        return Watcher.all(all);
    }

    private void startThreads() {
        started = true;
        heartbeat.start();
        deadlines.start();
        retention.start();
        wakeups.tellOthers(database, options.namespace(), around.watcher());
    }

    /** The inbox of this name, with the default options unless it was opened with others before. */
    public Inbox inbox(String name) {
        return inboxes.computeIfAbsent(name, key -> open(key, InboxOptions.defaults()));
    }

    /** The inbox of this name, with these options from now on. Open it before handling it. */
    public Inbox inbox(String name, InboxOptions inboxOptions) {
        Inbox inbox = open(name, inboxOptions);
        inboxes.put(name, inbox);
        return inbox;
    }

    private Inbox open(String name, InboxOptions inboxOptions) {
        Inbox inbox = Inbox.open(database, options.namespace(), name, inboxOptions, wakeups);
        retention.of("inbox " + name, inbox::prune);
        return inbox;
    }

    /** The inboxes that were ever used in the namespace, by whomever. */
    public List<String> inboxNames() {
        return Inbox.names(database, options.namespace());
    }

    /** Begins to handle the inbox's messages in this process. An inbox has one handler in one Turno. */
    public Worker<?> handle(Inbox inbox, InboxHandler handler) {
        return started(inbox.worker(handler, around));
    }

    private Worker<?> started(Worker<?> worker) {
        try {
            addToWorkers(worker);
        } catch (IllegalStateException e) {
            worker.close(Duration.ZERO); // nobody else will, and it is known to those who watch over workers
            throw e;
        }
        worker.start();
        return worker;
    }

    private void addToWorkers(Worker<?> worker) {
        synchronized (workers) {
            requireRunning();
            workers.removeIf(Worker::isClosed);
            if (workers.stream().anyMatch(other -> other.isFor(worker))) {
                throw new IllegalStateException(
                        "The " + worker.who() + " is handled by this Turno already, and still is."
                                + " For more at once give it more threads; to replace the handler close the first worker.");
            }
            workers.add(worker);
        }
    }

    private void requireRunning() {
        if (!started) {
            throw new IllegalStateException(
                    "This Turno was opened without threads; use Turno.start to handle anything.");
        }
        if (closed) {
            throw new IllegalStateException("This Turno was closed; start another one to handle anything.");
        }
    }

    /** Begins to handle the messages of the inbox of this name in this process. */
    public Worker<?> handle(String inbox, InboxHandler handler) {
        return handle(inbox(inbox), handler);
    }

    /** The buffer of this name, with the default options unless it was opened with others before. */
    public Buffers buffers(String name) {
        return buffers.computeIfAbsent(name, key -> open(key, BufferOptions.defaults()));
    }

    /** The buffer of this name, with these options from now on. Open it before handling it. */
    public Buffers buffers(String name, BufferOptions bufferOptions) {
        Buffers opened = open(name, bufferOptions);
        buffers.put(name, opened);
        return opened;
    }

    private Buffers open(String name, BufferOptions bufferOptions) {
        Buffers opened = Buffers.open(database, options.namespace(), name, bufferOptions, wakeups);
        retention.of("buffer " + name, opened::prune);
        return opened;
    }

    /** The buffers that were ever used in the namespace, by whomever. */
    public List<String> bufferNames() {
        return Buffers.names(database, options.namespace());
    }

    /** Begins to hand over the buffer's bursts in this process. */
    public Worker<?> handle(Buffers buffer, BurstHandler handler) {
        return started(buffer.worker(handler, around));
    }

    /** The inboxes that were opened in this process. */
    public List<Inbox> openInboxes() {
        return List.copyOf(inboxes.values());
    }

    /** The buffers that were opened in this process. */
    public List<Buffers> openBuffers() {
        return List.copyOf(buffers.values());
    }

    /** The locks of the namespace. */
    public Locks locks() {
        if (started) {
            locks.start();
        }
        return locks;
    }

    /** The locks of the namespace, with these terms from now on: for takings that say none, and for the clean-up. */
    public Locks locks(LockTerms terms) {
        locks.use(terms);
        return locks();
    }

    /** The tasks of the namespace. */
    public Tasks tasks() {
        if (started) {
            tasks.start();
        }
        return tasks;
    }

    /** Begins to handle tasks of this type in this process, with the default options. */
    public void handleTasks(String type, TaskHandler handler) {
        handleTasks(type, TaskOptions.defaults(), handler);
    }

    /** Begins to handle tasks of this type in this process. */
    public void handleTasks(String type, TaskOptions taskOptions, TaskHandler handler) {
        requireRunning();
        tasks().handle(type, taskOptions, handler);
    }

    /** Ends handling tasks of this type in this process, so that another handler may begin; what runs is waited for. */
    public void endTasks(String type) {
        endTasks(type, options.drain());
    }

    /** The same, waiting for at most so long. */
    public void endTasks(String type, Duration atMost) {
        tasks.end(type, atMost);
    }

    /** The runs of the namespace, with the default options unless they were opened with others before. */
    public Runs runs() {
        return runs(RunOptions.defaults());
    }

    /** The runs of the namespace, with these options if this is the first call. */
    public synchronized Runs runs(RunOptions runOptions) {
        Runs opened = runs.get();
        if (opened == null) {
            opened = Runs.open(database, options.namespace(), options.node(), runOptions, wakeups, around.watcher());
            runs.set(opened);
            retention.of("runs", opened::prune);
        }
        return opened;
    }

    /** Begins to work runs in this process, of the jobs that were and will be added. */
    public Worker<?> work(Runs mine) {
        requireRunning();
        Worker<?> worker = started(mine.worker(around));
        shown.add(RunsBean.register(mine, options.namespace(), options.node(), holder().toString()));
        return worker;
    }

    /**
     * Actions over the runs of the namespace, whose schedules are cron lines in this zone, or periods such as {@code PT1H}. They
     * are kept from {@link #work(Actions)} on.
     *
     * @param subjects finds a subject and its properties when its moment has come
     */
    public Actions actions(ZoneId zone, Function<String, Optional<Subject>> subjects) {
        return actions(text -> text.startsWith("P") ? Schedule.ofPeriod(text) : cron(text, zone), subjects);
    }

    private static Schedule cron(String line, ZoneId zone) {
        Cron cron = Cron.of(line, zone);
        return moment -> cron.first(moment).map(CronRun::at);
    }

    /**
     * Actions over the runs of the namespace, whose schedules are kept from {@link #work(Actions)} on.
     *
     * @param reader what the texts of schedules mean, for example {@link Schedule#ofPeriod}
     * @param subjects finds a subject and its properties when its moment has come
     */
    public Actions actions(Schedule.Reader reader, Function<String, Optional<Subject>> subjects) {
        return Actions.open(database, options.namespace(), runs(), reader, subjects, around.watcher());
    }

    /**
     * Begins to keep the schedules of these actions in this process. Register all of them before: a moment is used once, by the
     * actions that are known then.
     */
    public void work(Actions actions) {
        requireRunning();
        actions.start();
        schedulers.add(actions.scheduler());
    }

    /** The services that share a database see only what is in their own. */
    public String namespace() {
        return options.namespace();
    }

    /** Under which id this process takes now. It changes when the others declared it dead. */
    public HolderId holder() {
        return heartbeat.id();
    }

    /** All processes of the namespace. */
    public List<Holder> holders() {
        return heartbeat.holders();
    }

    /**
     * Registers a holder outside of this process, which takes by hand and gives no signs of life, for {@code lease}. It is declared
     * dead when that has passed, so its claims should lapse before.
     */
    public HolderId registerGuest(String name, Duration lease) {
        return heartbeat.registerGuest(name, lease);
    }

    /** Prolongs the lease of such a holder; false if it was declared dead by now, and another must be registered. */
    public boolean renewGuest(HolderId guest, Duration lease) {
        return heartbeat.renewGuest(guest, lease);
    }

    /** How the namespace stands, also where this process does nothing. */
    public Figures figures() {
        return figures;
    }

    /** Tells all who listen, the log and the counters too: for those who take and finish by hand, since nobody else tells of that. */
    public Watcher watcher() {
        return around.watcher();
    }

    /** What was counted since the start, for example {@code turno.claims.lost}. */
    public Counters counters() {
        return counters;
    }

    /** False while the database cannot be reached. */
    public boolean isHealthy() {
        return !heartbeat.isTroubled()
                && !locks.isTroubled()
                && !tasks.isTroubled()
                && workers.stream().noneMatch(Worker::isTroubled);
    }

    /** One round of the heartbeat by hand: renews, also locks, notices the dead, and forgets those that are dead for long. */
    public void beat() {
        heartbeat.beat();
        locks.beat();
        heartbeat.forgetDead();
    }

    /** Takes nothing more and gives back what has not begun; what runs goes on. */
    public void stopTaking() {
        workers.forEach(Worker::stopTaking);
        tasks.stopTaking();
    }

    private static void closeQuietly(AutoCloseable closeable) {
        try {
            closeable.close();
        } catch (Exception e) {
            LoggerFactory.getLogger(Turno.class).warn("{} could not be closed.", closeable, e);
        }
    }

    /** Takes nothing more, waits for what runs, gives back the rest. Puts and locks go on, and handling may begin anew. */
    public void drain() {
        stopTaking();
        Optional.ofNullable(runs.get()).ifPresent(Runs::handOver);
        long until = System.nanoTime() + options.drain().toNanos();
        List<Worker<?>> stopped = List.copyOf(workers);
        stopped.forEach(worker -> worker.close(until(until)));
        workers.removeAll(stopped);
        tasks.drain(until(until));
        shown.forEach(Turno::closeQuietly);
        shown.clear();
    }

    private static Duration until(long nanos) {
        return Duration.ofNanos(Math.max(0, nanos - System.nanoTime()));
    }

    /** Ends in order: takes nothing more, waits for what runs, gives back the rest, signs off. */
    @Override
    public void close() {
        synchronized (workers) {
            closed = true;
        }
        stopTaking();
        retention.close();
        schedulers.forEach(Turno::closeQuietly);
        drain();
        tasks.close(Duration.ZERO);
        locks.close(options.drain());
        wakeups.close();
        deadlines.close();
        heartbeat.close();
    }
}
