package dev.turno.proof;

import dev.turno.Turno;
import dev.turno.TurnoOptions;
import dev.turno.claim.Result;
import dev.turno.task.TaskOptions;
import dev.turno.testkit.process.ParentWatch;
import java.time.Duration;
import java.time.Instant;

/**
 * One instance of an application that runs tasks, in a process of its own. Says {@code ran ID FENCE MICROS} at each start of its
 * handler, with how late that was, and {@code armed} when it has armed something; obeys {@code count NAME}.
 */
final class TaskNode {

    static final String READY = "ready";
    static final String REPORT = "report";

    private TaskNode() {}

    public static void main(String[] words) throws InterruptedException {
        var wishes = Wishes.of(words);
        var pool = Pools.openPatiently(wishes.text("url"), wishes.text("user"), wishes.text("password"), 8);
        Turno turno = Turno.start(
                pool,
                TurnoOptions.defaults()
                        .withNode(wishes.text("node"))
                        .withLease(wishes.millis("lease", Stage.LEASE))
                        .withWatcher(event -> {
                            if (event instanceof dev.turno.watch.WorkEvent.Armed) {
                                System.out.println("armed");
                            }
                        }));
        ParentWatch.exitWithParent(
                line -> System.out.println(line + " " + turno.counters().count(line.substring("count ".length()))));
        turno.handleTasks(REPORT, TaskOptions.of(o -> o.threads(wishes.number("threads", 8))), (task, turn) -> {
            long late = Duration.between(task.at(), Instant.now()).toNanos() / 1_000;
            System.out.println("ran " + task.id() + " " + turn.fence() + " " + late);
            Thread.sleep(wishes.number("millis", 0));
            return Result.done();
        });
        System.out.println(READY);
        Thread.currentThread().join();
    }
}
