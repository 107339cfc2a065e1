package dev.turno.server.dashboard;

import dev.turno.Turno;
import dev.turno.TurnoOptions;
import dev.turno.TurnoOptions.SchemaMode;
import dev.turno.buffer.BufferMessage;
import dev.turno.buffer.BufferOptions;
import dev.turno.claim.Result;
import dev.turno.inbox.NewMessage;
import dev.turno.lock.LockTerms;
import dev.turno.run.Job;
import dev.turno.run.RunRequest;
import dev.turno.run.Source;
import dev.turno.run.Step;
import dev.turno.run.SubmitOutcome;
import dev.turno.task.NewSchedule;
import dev.turno.task.NewTask;
import dev.turno.watch.Watcher;
import java.time.Duration;
import java.util.Collection;
import java.util.stream.IntStream;
import javax.sql.DataSource;

/** Something of everything, with texts in it that would run if a page took them for its own. A node beside the server does the work. */
final class SampleWork implements AutoCloseable {

    static final String SCRIPT = "<script>window.ran=1</script>";
    private static final String IMAGE = "<img src=x onerror='window.ran=1'>";

    private final Turno server;
    private final Turno node;
    private final long task;
    private final long run;

    SampleWork(Turno server, DataSource source, Collection<Watcher> watchers) {
        this.server = server;
        TurnoOptions options = TurnoOptions.defaults()
                .withNode("node-b")
                .withSchema(SchemaMode.NONE)
                .withDrain(Duration.ofSeconds(1));
        for (Watcher watcher : watchers) {
            options = options.withWatcher(watcher);
        }
        this.node = Turno.start(source, options);
        node.handle(
                "orders",
                (message, turn) -> message.id().startsWith("bad")
                        ? Result.reject("There is no flour " + IMAGE + "\n\tat baker.Oven.bake(Oven.java:12)")
                        : Result.done());
        IntStream.range(0, 6).forEach(i -> server.inbox("orders").put(NewMessage.of("good-" + i, "{}")));
        put("bad-" + SCRIPT);
        IntStream.range(0, 6).forEach(i -> put("bad-" + i));
        IntStream.range(0, 60).forEach(i -> server.inbox("waiting").put(NewMessage.of("wait-" + i, "{}")));
        node.buffers(
                "chats", BufferOptions.of(o -> o.quiet(Duration.ofMinutes(10)).maxWait(Duration.ofMinutes(20))));
        server.buffers(
                "chats", BufferOptions.of(o -> o.quiet(Duration.ofMinutes(10)).maxWait(Duration.ofMinutes(20))));
        server.buffers("chats").add("+52" + SCRIPT, BufferMessage.of("hola " + SCRIPT));
        server.buffers("chats").add("+5255", BufferMessage.of("una mesa"));
        deadBurst();
        node.handleTasks("bell", (late, turn) -> Result.done());
        node.handleTasks("broken", (late, turn) -> Result.reject("It broke " + IMAGE));
        this.task = server.tasks()
                .schedule(NewTask.in("bell", "{}", Duration.ofMinutes(30)))
                .id();
        IntStream.range(0, 20)
                .forEach(i -> server.tasks().schedule(NewTask.in("bell", "{}", Duration.ofMinutes(5 + 2L * i))));
        server.tasks().schedule(NewTask.in("broken", "{}", Duration.ZERO));
        server.tasks().crons().define(NewSchedule.of("nightly", "30 2 * * *", "Europe/Berlin", "bell", "{}"));
        node.runs()
                .add(Job.of(
                        "count",
                        Source.iterator(run -> IntStream.range(0, 100_000).iterator()),
                        Step.outside(Step.each((item, page) -> Thread.sleep(5))),
                        job -> job.pageSize(20)));
        node.work(node.runs());
        this.run = ((SubmitOutcome.Queued)
                        node.runs().submit(RunRequest.of("count").on("NETWORK::" + SCRIPT)))
                .id();
        lock("report");
        lock("to-be-forced");
    }

    private void put(String id) {
        server.inbox("orders").put(NewMessage.of(id, "{\"n\": 12345678901234567890, \"text\": \"" + SCRIPT + "\"}"));
    }

    private void deadBurst() {
        var hasty = BufferOptions.of(o -> o.quiet(Duration.ofMillis(1)));
        node.handle(node.buffers("broken", hasty), (burst, turn) -> Result.reject("It broke " + IMAGE));
        server.buffers("broken", hasty).add("+5255", BufferMessage.of("hola"));
    }

    private void lock(String name) {
        var unused = server.locks()
                .tryTake(name, LockTerms.of(t -> t.lease(Duration.ofMinutes(20)).user("somebody")));
    }

    /** True as soon as everything that fails has failed. */
    boolean isReady() {
        return server.inbox("orders").counts().dead() == 7
                && server.inbox("orders").counts().done() == 6
                && server.buffers("broken").counts().dead() == 1
                && server.tasks().figures().stream()
                        .anyMatch(figures -> figures.byState().getOrDefault(dev.turno.task.TaskState.DEAD, 0) == 1)
                && server.runs().counts().doing() == 1;
    }

    long task() {
        return task;
    }

    long run() {
        return run;
    }

    @Override
    public void close() {
        node.close();
    }
}
