package dev.turno.benchmarks.locks;

import com.zaxxer.hikari.HikariDataSource;
import dev.turno.Turno;
import dev.turno.TurnoOptions;
import dev.turno.lock.LockOutcome;
import dev.turno.lock.LockTerms;
import dev.turno.testkit.database.FreshDatabase;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

/** Turno on its usual terms, but waiting: renewal on, clean-up on. Several nodes share out the threads among them. */
final class TurnoLocks implements Contestant {

    private static final LockTerms TERMS = LockTerms.of(t -> t.waitUpTo(Duration.ofMinutes(1)));

    private final String who;
    private final int nodes;

    TurnoLocks(String who, int nodes) {
        this.who = who;
        this.nodes = nodes;
    }

    @Override
    public String who() {
        return who;
    }

    @Override
    public Instance open(FreshDatabase database) {
        List<HikariDataSource> pools = new ArrayList<>();
        List<Turno> turnos = new ArrayList<>();
        for (int i = 0; i < nodes; i++) {
            pools.add(database.newPool(database.url(), LockRates.CONNECTIONS));
            turnos.add(Turno.start(pools.get(i), TurnoOptions.defaults().withNode("node-" + i)));
        }
        var next = new AtomicInteger();
        return new Instance() {
            @Override
            public Client client() {
                Turno turno = turnos.get(next.getAndIncrement() % nodes);
                return (name, inside) -> cycle(turno, name, inside);
            }

            @Override
            public void close() {
                turnos.forEach(Turno::close);
                pools.forEach(HikariDataSource::close);
            }
        };
    }

    private static void cycle(Turno turno, String name, Runnable inside) {
        LockOutcome<Boolean> outcome = turno.locks().whileHolding(name, TERMS, lease -> {
            inside.run();
            return true;
        });
        if (!(outcome instanceof LockOutcome.Ran)) {
            throw new IllegalStateException("Not run: " + outcome);
        }
    }
}
