package dev.turno.soak;

import com.sun.management.UnixOperatingSystemMXBean;
import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.turno.Turno;
import dev.turno.TurnoOptions;
import dev.turno.buffer.BufferMessage;
import dev.turno.buffer.BufferOptions;
import dev.turno.buffer.Buffers;
import dev.turno.claim.Result;
import dev.turno.inbox.Inbox;
import dev.turno.inbox.InboxOptions;
import dev.turno.lock.LockOutcome;
import dev.turno.lock.LockTerms;
import dev.turno.lock.Locks;
import dev.turno.run.Job;
import dev.turno.run.RunOptions;
import dev.turno.run.RunRequest;
import dev.turno.run.Runs;
import dev.turno.run.Source;
import dev.turno.run.Step;
import dev.turno.task.TaskOptions;
import dev.turno.testkit.process.ParentWatch;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;

/**
 * One instance of an application that uses all five features, in a process of its own. Says {@code put FEATURE PRODUCER NUMBER} when
 * something is stored and {@code did FEATURE PRODUCER NUMBER MILLIS} when it is done, with how long after its time; obeys
 * {@code figures} and {@code end}, after which it only handles.
 */
final class SoakNode {

    static final String READY = "ready";
    static final String QUIET = "quiet";

    /** Short, so that an hour sees retention come by sixty times. */
    private static final Duration KEEP = Duration.ofMinutes(2);

    private static final Duration BURST = Duration.ofSeconds(1);
    private static final int POOL = 12;
    private static final int KEYS = 50;
    private static final int LOCKS = 5;
    private static final int RUN_ITEMS = 20;
    private static final int RUN_PAGE = 5;

    private final String node;
    private final Turno turno;
    private final Inbox orders;
    private final Buffers chats;
    private final Locks locks;
    private final Runs runs;
    private final ScheduledExecutorService load = Executors.newScheduledThreadPool(5);

    private SoakNode(String node, String url, String user, String password) {
        this.node = node;
        this.turno =
                Turno.start(pool(url, user, password), TurnoOptions.defaults().withNode(node));
        this.orders = turno.inbox("orders", InboxOptions.of(o -> o.threads(4).keep(KEEP)));
        this.chats = turno.buffers(
                "chats",
                BufferOptions.of(o ->
                        o.threads(4).quiet(BURST).maxWait(BURST.multipliedBy(3)).keepIds(KEEP)));
        this.locks =
                turno.locks(LockTerms.of(t -> t.lease(Duration.ofSeconds(10)).waitUpTo(Duration.ofSeconds(30))));
        this.runs = turno.runs(RunOptions.of(o -> o.keep(KEEP)));
        this.runs.add(Job.of(
                "copy",
                Source.iterator(run -> IntStream.range(0, RUN_ITEMS).boxed().iterator(), String::valueOf),
                Step.outside(Step.each((item, page) -> {})),
                choices -> choices.pageSize(RUN_PAGE)
                        .afterRun(run -> did("run", run.parameters().getOrDefault("what", "")))));
    }

    private static HikariDataSource pool(String url, String user, String password) {
        HikariConfig config = new HikariConfig();
        config.setJdbcUrl(url);
        config.setUsername(user);
        config.setPassword(password);
        config.setMaximumPoolSize(POOL);
        config.setMinimumIdle(POOL);
        config.setInitializationFailTimeout(30_000);
        return new HikariDataSource(config);
    }

    public static void main(String[] words) throws InterruptedException {
        SoakNode node = new SoakNode(words[0], words[1], words[2], words[3]);
        ParentWatch.exitWithParent(node::hear);
        say(READY); // before the first thing is done: who waits for it passes over all that was said before
        node.handle();
        node.begin();
        Thread.currentThread().join();
    }

    private void hear(String line) {
        switch (line) {
            case "figures" -> figures();
            case "end" -> end();
            default -> throw new IllegalArgumentException("What is '" + line + "'?");
        }
    }

    private void handle() {
        turno.handle(orders, (message, turn) -> {
            did("inbox", message.body());
            return Result.done();
        });
        turno.handle(chats, (burst, turn) -> {
            burst.messages().forEach(message -> did("buffer", message.body()));
            return Result.done();
        });
        turno.handleTasks("report", TaskOptions.of(o -> o.threads(4).keep(KEEP)), (task, turn) -> {
            did("task", task.body());
            return Result.done();
        });
        turno.work(runs);
    }

    /** So much a second, whatever the database says: about sixty things. */
    private void begin() {
        every(Duration.ofMillis(50), "inbox", what -> orders.put(what.id(), what.body(Duration.ZERO)));
        every(
                Duration.ofMillis(50),
                "buffer",
                what -> chats.add(
                        "chat-" + what.number() % KEYS, BufferMessage.of(what.id(), what.body(BURST.multipliedBy(3)))));
        every(Duration.ofMillis(200), "task", what -> {
            Duration ahead = Duration.ofMillis(2_000 + what.number() % 80 * 100L);
            turno.tasks().schedule("report", what.body(ahead), Instant.now().plus(ahead));
        });
        every(
                Duration.ofSeconds(5),
                "run",
                what -> runs.submit(
                        RunRequest.of("copy").on("subject-" + node).with("what", what.body(Duration.ZERO))));
        var unused = load.scheduleWithFixedDelay(new Locking(), 100, 100, TimeUnit.MILLISECONDS);
    }

    /** Something to put. Its body tells who put it and when it should be done. */
    private record What(String node, String feature, int number) {

        String id() {
            return feature + "-" + node + "-" + number;
        }

        String body(Duration ahead) {
            return node + " " + number + " " + (System.currentTimeMillis() + ahead.toMillis());
        }
    }

    private interface Put {
        void of(What what);
    }

    private void every(Duration time, String feature, Put put) {
        AtomicInteger numbers = new AtomicInteger();
        var unused = load.scheduleAtFixedRate(
                () -> {
                    try {
                        What what = new What(node, feature, numbers.getAndIncrement());
                        put.of(what);
                        say("put " + feature + " " + node + " " + what.number());
                    } catch (RuntimeException e) {
                        say("failed " + feature + " " + e);
                    }
                },
                time.toMillis(),
                time.toMillis(),
                TimeUnit.MILLISECONDS);
    }

    /** A fence that two holders of one name were given would be done twice. */
    private final class Locking implements Runnable {

        private int turn;

        @Override
        public void run() {
            String name = "lock-" + turn++ % LOCKS;
            try {
                LockOutcome<Long> outcome = locks.whileHolding(name, lease -> lease.fence());
                if (outcome instanceof LockOutcome.Ran<Long> ran) {
                    String number = String.valueOf(ran.value());
                    say("put lock " + name + " " + number);
                    say("did lock " + name + " " + number + " 0");
                } else {
                    say("failed lock " + outcome);
                }
            } catch (RuntimeException e) {
                say("failed lock " + e);
            }
        }
    }

    private static void did(String feature, String body) {
        String[] words = body.split(" ", -1);
        long late = System.currentTimeMillis() - Long.parseLong(words[2]);
        say("did " + feature + " " + words[0] + " " + words[1] + " " + late);
    }

    private void end() {
        load.shutdown();
        try {
            boolean unused = load.awaitTermination(1, TimeUnit.MINUTES);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        say(QUIET);
    }

    /** After two collections: what the first one finds unreachable may only then let go of the rest. */
    private void figures() {
        System.gc();
        System.gc();
        long heap = ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed();
        int threads = ManagementFactory.getThreadMXBean().getThreadCount();
        long files = ManagementFactory.getOperatingSystemMXBean() instanceof UnixOperatingSystemMXBean unix
                ? unix.getOpenFileDescriptorCount()
                : 0;
        say("figures " + heap + " " + threads + " " + files + " "
                + turno.counters().count("turno.trouble"));
    }

    private static synchronized void say(String line) {
        System.out.println(line);
    }
}
