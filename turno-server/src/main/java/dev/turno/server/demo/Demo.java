package dev.turno.server.demo;

import dev.turno.Turno;
import dev.turno.TurnoOptions;
import dev.turno.TurnoOptions.SchemaMode;
import dev.turno.buffer.BufferMessage;
import dev.turno.buffer.BufferOptions;
import dev.turno.claim.Result;
import dev.turno.inbox.Message;
import dev.turno.inbox.NewMessage;
import dev.turno.lock.LockTerms;
import dev.turno.run.Job;
import dev.turno.run.RunRequest;
import dev.turno.run.Source;
import dev.turno.run.Step;
import dev.turno.spring.TurnoProperties;
import dev.turno.task.NewSchedule;
import dev.turno.task.NewTask;
import dev.turno.watch.Watcher;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import javax.sql.DataSource;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.context.SmartLifecycle;
import org.springframework.stereotype.Component;

/** Orders, some of which fail; people who write in bursts; a report under a lock; bells; counting. On two nodes. */
@Component
@ConditionalOnBooleanProperty("turno.demo")
class Demo implements SmartLifecycle {

    private static final Logger LOG = LoggerFactory.getLogger(Demo.class);
    private static final List<String> WORDS = List.of("hola", "una mesa", "para cuatro", "a las nueve", "gracias");

    private static final int COUNTED = 4_500;

    private final Turno first;
    private final AtomicInteger nodes = new AtomicInteger(1);
    private final DataSource source;
    private final TurnoProperties properties;
    private final ObjectProvider<Watcher> watchers;
    private final Random random = new Random(); // what the sample looks like matters to nobody
    private final ScheduledExecutorService people = Executors.newScheduledThreadPool(2, Demo::thread);
    private volatile boolean running;
    private volatile Turno second;
    private volatile Plug plug;

    Demo(Turno first, DataSource source, TurnoProperties properties, ObjectProvider<Watcher> watchers) {
        this.watchers = watchers;
        this.first = first;
        this.second = first; // until it starts
        this.source = source;
        this.plug = new Plug(source);
        this.properties = properties;
    }

    private static Thread thread(Runnable work) {
        Thread thread = new Thread(work, "turno-demo");
        thread.setDaemon(true);
        return thread;
    }

    @Override
    public void start() {
        running = true;
        handle(first);
        startSecond();
        plan("demo-every-minute", "* * * * *");
        plan("demo-nightly", "30 2 * * MON-FRI");
        every(Duration.ofMillis(200), this::order);
        every(Duration.ofMillis(700), this::write);
        every(Duration.ofSeconds(5), this::report);
        every(Duration.ofSeconds(2), this::ringLater);
        every(Duration.ofSeconds(25), () -> count(second));
    }

    private void plan(String name, String cron) {
        first.tasks().crons().define(NewSchedule.of(name, cron, "Europe/Madrid", "demo-bell", ""));
    }

    private void startSecond() {
        plug = new Plug(source);
        TurnoOptions options = TurnoOptions.defaults()
                .withNamespace(properties.namespace())
                .withNode("demo-node-" + nodes.incrementAndGet())
                .withLease(properties.holder().lease())
                .withSchema(SchemaMode.NONE)
                .withDrain(Duration.ofSeconds(1));
        for (Watcher watcher : watchers.orderedStream().toList()) {
            options = options.withWatcher(watcher);
        }
        second = Turno.start(plug, options);
        handle(second);
        handleRuns(second);
    }

    /**
     * The second node is gone as if its power had failed; when the others have had the time to take over its work, another one starts.
     * False if it was gone already.
     */
    synchronized boolean kill() {
        if (!running || !plug.isIn()) {
            return false;
        }
        plug.pull();
        Turno gone = second;
        var unused = people.schedule(
                quietly(() -> {
                    startSecond();
                    gone.close();
                }),
                properties.holder().lease().multipliedBy(2).toMillis(), // a lease, and time to see it
                TimeUnit.MILLISECONDS);
        return true;
    }

    private void every(Duration pause, Runnable act) {
        var unused = people.scheduleWithFixedDelay(quietly(act), 200, pause.toMillis(), TimeUnit.MILLISECONDS);
    }

    private void handle(Turno turno) {
        turno.handle("demo-orders", (message, turn) -> bake(message));
        var chats = turno.buffers("demo-chats", BufferOptions.of(o -> o.quiet(Duration.ofSeconds(2))));
        turno.handle(chats, (burst, turn) -> Result.done());
        turno.handleTasks("demo-bell", (task, turn) -> Result.done());
    }

    /** Only where runs were not set up by the server itself. */
    private static void handleRuns(Turno turno) {
        turno.runs()
                .add(Job.of(
                        "demo-count",
                        Source.iterator(run -> IntStream.range(0, COUNTED).iterator())
                                .withTotal(run -> (long) COUNTED),
                        Step.outside(Step.each((item, page) -> Thread.sleep(10))),
                        job -> job.pageSize(50)));
        turno.work(turno.runs());
    }

    private Result bake(Message message) throws InterruptedException {
        Thread.sleep(random.nextInt(100));
        int luck = random.nextInt(100);
        return luck < 2
                ? Result.reject("There is no flour for " + message.id() + ".")
                : luck < 10 ? Result.retryIn(Duration.ofSeconds(2), "the oven is full") : Result.done();
    }

    private void order() {
        String id = "order-" + System.currentTimeMillis();
        first.inbox("demo-orders").put(NewMessage.of(id, "{\"loaves\": " + random.nextInt(1, 9) + "}"));
    }

    private void write() {
        String key = "+3460000000" + random.nextInt(5);
        String text = WORDS.get(random.nextInt(WORDS.size()));
        first.buffers("demo-chats").add(key, BufferMessage.of(text));
    }

    private void ringLater() {
        int seconds = random.nextBoolean() ? 10 : random.nextInt(10, 3_000);
        first.tasks().schedule(NewTask.in("demo-bell", "", Duration.ofSeconds(seconds)));
    }

    private static void count(Turno turno) {
        turno.runs().submit(RunRequest.of("demo-count").on("DEMO::" + (System.nanoTime() % 3)));
    }

    private void report() {
        LockTerms terms = LockTerms.of(t -> t.lease(Duration.ofSeconds(10)).user("demo"));
        var unused = first.locks().whileHolding("demo-report", terms, lease -> pause());
    }

    private static boolean pause() {
        try {
            Thread.sleep(2_000);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        return true;
    }

    private Runnable quietly(Runnable act) {
        return () -> {
            try {
                act.run();
            } catch (RuntimeException e) {
                LOG.info("The demo goes on after: {}", e.toString());
            }
        };
    }

    @Override
    public void stop() {
        running = false;
        people.shutdownNow();
        try {
            if (second != first) {
                second.close();
            }
        } catch (RuntimeException e) {
            LOG.info("The demo's second node could not be closed: {}", e.toString());
        }
    }

    @Override
    public boolean isRunning() {
        return running;
    }
}
