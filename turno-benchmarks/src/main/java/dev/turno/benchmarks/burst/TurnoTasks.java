package dev.turno.benchmarks.burst;

import com.zaxxer.hikari.HikariDataSource;
import dev.turno.Turno;
import dev.turno.TurnoOptions;
import dev.turno.benchmarks.runners.Starts;
import dev.turno.claim.Result;
import dev.turno.task.NewTask;
import dev.turno.task.TaskOptions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** Default options. */
final class TurnoTasks implements Contestant {

    private static final String TYPE = "bench";

    @Override
    public String who() {
        return "turno";
    }

    @Override
    public int warmUp() {
        return 20_000;
    }

    @Override
    public Duration leadTime(int tasks) {
        return Duration.ofSeconds(25 + tasks / 4_000);
    }

    @Override
    public void create(HikariDataSource pool) {
        open(pool).close();
    }

    private static Turno open(HikariDataSource pool) {
        return Turno.open(pool, TurnoOptions.defaults().withNode("bench"));
    }

    @Override
    public void schedule(HikariDataSource pool, Plan plan) {
        List<NewTask> tasks = new ArrayList<>(plan.all());
        for (int number = 0; number < plan.all(); number++) {
            tasks.add(NewTask.at(TYPE, Integer.toString(number), plan.at(number)));
        }
        try (Turno turno = open(pool)) {
            turno.tasks().scheduleAll(tasks);
        }
    }

    @Override
    public void run(HikariDataSource pool) {
        Turno turno = Turno.start(pool, TurnoOptions.defaults().withNode("bench"));
        turno.handleTasks(TYPE, TaskOptions.defaults(), (task, turn) -> {
            Starts.started(Integer.parseInt(task.body()));
            return Result.done();
        });
    }
}
