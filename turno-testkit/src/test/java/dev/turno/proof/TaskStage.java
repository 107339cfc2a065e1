package dev.turno.proof;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.zaxxer.hikari.HikariDataSource;
import dev.turno.Turno;
import dev.turno.TurnoOptions;
import dev.turno.task.NewTask;
import dev.turno.task.Tasks;
import dev.turno.testkit.database.FreshDatabase;
import dev.turno.testkit.process.ChildProcess;
import dev.turno.testkit.process.Launch;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

/** A database with Turno's tables and {@link TaskNode}s on it, which end with it. */
final class TaskStage implements AutoCloseable {

    /** One start of a handler. */
    record Ran(long id, long fence, Duration late) {}

    private final FreshDatabase database;
    private final HikariDataSource pool;
    private final Turno turno;
    private final List<ChildProcess> nodes = new ArrayList<>();

    private TaskStage(FreshDatabase database) {
        this.database = database;
        this.pool = Pools.openForTheTest(database, 12);
        this.turno = Turno.open(pool, TurnoOptions.defaults().withNode("test").withLease(Duration.ofHours(1)));
    }

    static TaskStage on(FreshDatabase database) {
        return new TaskStage(database);
    }

    Tasks tasks() {
        return turno.tasks();
    }

    HikariDataSource pool() {
        return pool;
    }

    ChildProcess node(String name, String... wishes) {
        ChildProcess node = Launch.main(TaskNode.class)
                .arguments("url=" + database.url(), "user=" + database.user(), "password=" + database.password())
                .arguments("node=" + name)
                .arguments(wishes)
                .start();
        nodes.add(node);
        return node;
    }

    /** Waits until so many processes can run the tasks. */
    void awaitRunners(int count) {
        await().atMost(Stage.SOON)
                .until(() -> number("select count(*) from turno_task_runner r join turno_holder h on h.id = r.holder"
                                + " where h.reaped_at is null")
                        == count);
    }

    void schedule(int count, Instant at) {
        tasks().scheduleAll(IntStream.range(0, count)
                .mapToObj(n -> NewTask.at(TaskNode.REPORT, "body " + n, at))
                .toList());
    }

    void untilDone(int count) {
        await().atMost(Stage.SOON).untilAsserted(() -> assertThat(states()).isEqualTo(Map.of("DONE", count)));
    }

    Map<String, Integer> states() throws SQLException {
        return counted("select state, count(*) from turno_task group by state");
    }

    /** Who has how many in its share. */
    Map<String, Integer> shares() throws SQLException {
        return counted("select h.node, count(*) from turno_task t join turno_holder h on h.id = t.assigned_to"
                + " where t.state = 'ASSIGNED' group by h.node");
    }

    static List<Ran> ran(ChildProcess node) {
        return node.lines().stream()
                .filter(line -> line.startsWith("ran "))
                .map(line -> line.split(" ", -1))
                .map(words -> new Ran(
                        Long.parseLong(words[1]),
                        Long.parseLong(words[2]),
                        Duration.ofNanos(Long.parseLong(words[3]) * 1_000)))
                .toList();
    }

    int number(String query) throws SQLException {
        return Rows.number(pool, query);
    }

    Map<String, Integer> counted(String query) throws SQLException {
        return Rows.counted(pool, query);
    }

    @Override
    public void close() {
        nodes.forEach(ChildProcess::close);
        turno.close();
        pool.close();
    }
}
