package dev.turno.benchmarks.chunks;

import com.zaxxer.hikari.HikariDataSource;
import dev.turno.Turno;
import dev.turno.run.Job;
import dev.turno.run.RunRequest;
import dev.turno.run.RunState;
import dev.turno.run.Runs;
import dev.turno.run.Source;
import dev.turno.run.Step;
import dev.turno.testkit.database.FreshDatabase;
import java.time.Duration;
import java.util.concurrent.locks.LockSupport;

/** A run on the usual terms: fenced checkpoints, progress, heartbeat, everything on. */
record TurnoRuns(String who, boolean setBased) implements Contestant {

    @Override
    public Instance open(FreshDatabase database) {
        HikariDataSource pool = database.newPool(database.url(), Chunks.CONNECTIONS);
        Turno turno = Turno.start(pool);
        Runs runs = turno.runs();
        Step<Account> step = setBased
                ? Step.whole((items, page) -> Account.updateAll(page.connection(), items))
                : Step.batch(
                        Account.UPDATE, (update, account) -> account.plusOne().bind(update));
        runs.add(Job.of(
                "add",
                Source.query(pool, Account.PAGE, "id", Account::read).ahead(),
                step,
                choices -> choices.pageSize(Chunks.PAGE)));
        turno.work(runs);
        return new Instance() {
            @Override
            public void run() {
                long id = runs.submit(RunRequest.of("add").on("accounts")).orThrow();
                RunState state = RunState.PENDING;
                while (state == RunState.PENDING || state == RunState.DOING) {
                    LockSupport.parkNanos(Duration.ofMillis(20).toNanos());
                    state = runs.find(id).orElseThrow().state();
                }
                if (state != RunState.DONE) {
                    throw new IllegalStateException("The run is " + runs.find(id));
                }
            }

            @Override
            public void close() {
                turno.close();
                pool.close();
            }
        };
    }
}
