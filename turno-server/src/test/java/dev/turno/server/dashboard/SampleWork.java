package dev.turno.server.dashboard;

import dev.turno.Turno;
import dev.turno.TurnoOptions;
import dev.turno.TurnoOptions.SchemaMode;
import dev.turno.buffer.BufferMessage;
import dev.turno.buffer.BufferOptions;
import dev.turno.claim.Result;
import dev.turno.inbox.InboxOptions;
import dev.turno.inbox.NewMessage;
import dev.turno.lock.LockTerms;
import dev.turno.run.ItemPolicy;
import dev.turno.run.Job;
import dev.turno.run.RunRequest;
import dev.turno.run.Source;
import dev.turno.run.Step;
import dev.turno.run.SubmitOutcome;
import dev.turno.task.NewSchedule;
import dev.turno.task.NewTask;
import dev.turno.task.TaskState;
import dev.turno.watch.Watcher;
import dev.turno.worker.Backoff;
import java.time.Duration;
import java.util.Collection;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.IntStream;
import javax.sql.DataSource;

/**
 * Something of everything, with texts in it that would run if a page took them for its own; and for each way to look at it something to act
 * on. A node beside the server does the work.
 */
final class SampleWork implements AutoCloseable {

    static final String SCRIPT = "<script>window.ran=1</script>";
    static final String IMAGE = "<img src=x onerror='window.ran=1'>";
    static final String BODY = "{\"n\": 12345678901234567890, \"text\": \"" + SCRIPT + "\"}";
    static final String TRACE = "4bf92f3577b34da6a3ce929d0e0e4736";
    static final int MANY = 250; // more than one part of a bulk action
    static final int PARKED = 120; // more than one page
    private static final Duration LONG = Duration.ofMinutes(20);

    private final Turno server;
    private final Turno node;
    private final Map<Way, Long> tasks = new EnumMap<>(Way.class);
    private final Map<Way, Long> runs = new EnumMap<>(Way.class);

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
        handle();
        messages();
        server.buffers("chats", slow()).add("+52" + SCRIPT, BufferMessage.of("hola " + SCRIPT));
        server.tasks().schedule(NewTask.in("broken", "{}", Duration.ZERO));
        IntStream.range(0, 20)
                .forEach(i -> server.tasks().schedule(NewTask.in("bell", "{}", Duration.ofMinutes(5 + 2L * i))));
        lock("report");
        Way.forActs().forEach(this::toActOn);
    }

    private static BufferOptions slow() {
        return BufferOptions.of(o -> o.quiet(Duration.ofMinutes(10)).maxWait(LONG));
    }

    private static BufferOptions hasty() {
        return BufferOptions.of(o -> o.quiet(Duration.ofMillis(1)));
    }

    private void handle() {
        node.handle(
                "orders",
                (message, turn) -> message.id().startsWith("bad")
                        ? Result.reject("There is no flour " + IMAGE + "\n\tat baker.Oven.bake(Oven.java:12)")
                        : Result.done());
        InboxOptions twice = InboxOptions.of(
                o -> o.maxAttempts(2).backoff(Backoff.exponential(Duration.ofMillis(50), Duration.ofMillis(50))));
        node.handle(node.inbox("flaky", twice), (message, turn) -> {
            throw new IllegalStateException("The oven is cold " + IMAGE);
        });
        node.buffers("chats", slow());
        node.handle(node.buffers("broken", hasty()), (burst, turn) -> Result.reject("It broke " + IMAGE));
        node.handleTasks("bell", (late, turn) -> Result.done());
        node.handleTasks("broken", (late, turn) -> Result.reject("It broke " + IMAGE));
        node.runs()
                .add(Job.of(
                        "count",
                        Source.iterator(run -> IntStream.range(0, 1_000_000).iterator()), // longer than all tests take
                        Step.outside(Step.each((item, page) -> Thread.sleep(5))),
                        job -> job.pageSize(20)));
        node.runs()
                .add(Job.of(
                        "park",
                        Source.iterator(run -> IntStream.range(0, PARKED).iterator()),
                        Step.each((item, page) -> {
                            throw new IllegalStateException("It does not fit");
                        }),
                        job -> job.onFailure(ItemPolicy.parkUpTo(PARKED)).key(item -> "item-" + item)));
        node.work(node.runs());
    }

    private void messages() {
        put("orders", "good-1");
        put("orders", "bad-" + SCRIPT);
        server.inbox("flaky")
                .put(NewMessage.of("cold", "{}").withTrace("traceparent: 00-" + TRACE + "-00f067aa0ba902b7-01"));
        put("waiting", IntStream.range(0, 60).mapToObj(i -> "wait-" + i).toList());
        for (Way way : Way.forActs()) {
            String language = way.language();
            List.of("good-", "bad-revive-", "bad-cancel-").forEach(id -> put("orders", id + language));
            put(
                    "orders",
                    IntStream.range(0, MANY)
                            .mapToObj(i -> "bad-many-" + language + i)
                            .toList());
            put(
                    "choose",
                    IntStream.range(0, 3).mapToObj(i -> "one-" + language + i).toList());
            server.inbox("orders").put(NewMessage.of("later-" + language, "{}").after(LONG));
        }
    }

    private void toActOn(Way way) {
        String language = way.language();
        server.buffers("chats").add("+5255" + language, BufferMessage.of("una mesa"));
        server.buffers("broken", hasty()).add("+52" + language, BufferMessage.of("hola"));
        tasks.put(
                way,
                server.tasks()
                        .schedule(NewTask.in("bell", "{}", Duration.ofMinutes(30)))
                        .id());
        server.tasks()
                .crons()
                .define(NewSchedule.of("nightly-" + language, "30 2 * * *", "Europe/Berlin", "bell", "{}"));
        RunRequest request = RunRequest.of("count").on("NETWORK::" + language + SCRIPT);
        runs.put(way, ((SubmitOutcome.Queued) node.runs().submit(request)).id());
        lock("to-be-forced-" + language);
    }

    private void put(String inbox, String id) {
        put(inbox, List.of(id));
    }

    private void put(String inbox, List<String> ids) {
        server.inbox(inbox)
                .putAll(ids.stream().map(id -> NewMessage.of(id, BODY)).toList());
    }

    private void lock(String name) {
        var unused =
                server.locks().tryTake(name, LockTerms.of(t -> t.lease(LONG).user("somebody")));
    }

    /** True as soon as everything that fails has failed. */
    boolean isReady() {
        int ways = Way.forActs().size();
        return server.inbox("orders").counts().dead() == 1 + ways * (2 + MANY)
                && server.inbox("orders").counts().done() == 1 + ways
                && server.inbox("flaky").counts().dead() == 1
                && server.buffers("broken").counts().dead() == ways
                && server.tasks().figures().stream()
                        .anyMatch(figures -> figures.byState().getOrDefault(TaskState.DEAD, 0) == 1)
                && server.runs().counts().doing() == ways;
    }

    long task(Way way) {
        return Objects.requireNonNull(tasks.get(way));
    }

    long run(Way way) {
        return Objects.requireNonNull(runs.get(way));
    }

    long submit(String job, String subject) {
        return ((SubmitOutcome.Queued) node.runs().submit(RunRequest.of(job).on(subject))).id();
    }

    /** A run that waits for the one of this way: they have a lane in common. */
    long runBehind(Way way) {
        String subject = node.runs().find(run(way)).orElseThrow().subject().orElseThrow();
        return submit("count", subject);
    }

    @Override
    public void close() {
        node.close();
    }
}
