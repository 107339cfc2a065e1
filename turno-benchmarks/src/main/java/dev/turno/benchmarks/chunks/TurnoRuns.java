package dev.turno.benchmarks.chunks;

import com.zaxxer.hikari.HikariDataSource;
import dev.turno.Turno;
import dev.turno.TurnoOptions;
import dev.turno.run.Job;
import dev.turno.run.RunRequest;
import dev.turno.run.RunState;
import dev.turno.run.Runs;
import dev.turno.run.Source;
import dev.turno.run.Step;
import dev.turno.testkit.database.FreshDatabase;
import dev.turno.watch.WorkEvent;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/** A run on the usual terms: fenced checkpoints, progress, heartbeat, everything on. */
record TurnoRuns(String who, boolean setBased) implements Contestant {

    @Override
    public Instance open(FreshDatabase database) {
        HikariDataSource pool = database.newPool(database.url(), Chunks.CONNECTIONS);
        BlockingQueue<WorkEvent.RunEnded> ends = new LinkedBlockingQueue<>();
        Turno turno = Turno.start(pool, TurnoOptions.defaults().withWatcher(event -> {
            if (event instanceof WorkEvent.RunEnded ended) {
                ends.add(ended);
            }
        }));
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
            public void run() throws InterruptedException {
                long id = runs.submit(RunRequest.of("add").on("accounts")).orThrow();
                // Told, not asked for: who asks again and again takes the processor from what is measured.
                WorkEvent.RunEnded ended = ends.poll(10, TimeUnit.MINUTES);
                if (ended == null || ended.run() != id || !ended.state().equals(RunState.DONE.name())) {
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
