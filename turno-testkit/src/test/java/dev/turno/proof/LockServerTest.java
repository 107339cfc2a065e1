package dev.turno.proof;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariDataSource;
import dev.turno.Turno;
import dev.turno.TurnoOptions;
import dev.turno.claim.Finish;
import dev.turno.lock.Lease;
import dev.turno.lock.LockOutcome;
import dev.turno.lock.LockTerms;
import dev.turno.lock.Locks;
import dev.turno.lock.TakeOutcome;
import dev.turno.testkit.database.FreshDatabase;
import dev.turno.testkit.database.OnEveryDatabase;
import dev.turno.testkit.database.RestartableServer;
import dev.turno.testkit.database.TestDatabase;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("alone")
@OnEveryDatabase
class LockServerTest {

    private static final Duration LEASE = Duration.ofSeconds(1);
    private static final LockTerms LONG =
            LockTerms.of(t -> t.lease(Duration.ofHours(1)).cleanUp(false));

    private final TestDatabase kind;

    LockServerTest(TestDatabase kind) {
        this.kind = kind;
    }

    @Test
    void while_the_server_is_down_locks_are_unavailable_and_afterwards_they_are_as_they_were() throws Exception {
        try (RestartableServer server = kind.newServer();
                FreshDatabase database = server.fresh();
                HikariDataSource pool = Pools.open(database.url(), database.user(), database.password(), 8);
                Turno turno = Turno.start(pool, TurnoOptions.defaults().withDrain(Duration.ofSeconds(1)))) {
            Locks locks = turno.locks();
            Lease first = locks.tryTake("free", LONG).orElseThrow();
            assertThat(first.release()).isEqualTo(new Finish.Kept());
            locks.tryTake("held", LONG).orElseThrow();

            server.kill9();

            var ran = new AtomicBoolean();
            assertThat(locks.tryTake("held", LONG)).isInstanceOf(TakeOutcome.Unavailable.class);
            assertThat(locks.tryTake("free", LONG)).isInstanceOf(TakeOutcome.Unavailable.class);
            assertThat(locks.whileHolding("free", LONG, lease -> ran.getAndSet(true)))
                    .isInstanceOf(LockOutcome.Unavailable.class);
            assertThat(ran).isFalse();
            server.restart();

            Stage.until(() -> locks.tryTake("held", LONG) instanceof TakeOutcome.Busy);
            assertThat(locks.tryTake("free", LONG).orElseThrow().fence()).isGreaterThan(first.fence());
            Figures.say("lock outage", kind, "unavailable while down, held is still held, the fence went on");
        }
    }

    @Test
    void an_action_is_interrupted_at_its_deadline_when_the_server_is_away() throws Exception {
        try (RestartableServer server = kind.newServer();
                FreshDatabase database = server.fresh();
                HikariDataSource pool = Pools.open(database.url(), database.user(), database.password(), 8);
                Turno turno = Turno.start(pool, TurnoOptions.defaults().withDrain(Duration.ofSeconds(1)))) {
            LockTerms terms = LockTerms.of(t -> t.lease(LEASE).cleanUp(false));

            LockOutcome<Boolean> outcome = turno.locks().whileHolding("report", terms, lease -> {
                server.kill9();
                long before = System.nanoTime();
                try {
                    Thread.sleep(20_000);
                    return false;
                } catch (InterruptedException e) {
                    return Duration.ofNanos(System.nanoTime() - before).compareTo(LEASE.plusMillis(500)) < 0
                            && lease.isLost();
                }
            });

            assertThat(outcome).isInstanceOf(LockOutcome.Lost.class);
            assertThat(((LockOutcome.Lost<Boolean>) outcome).value()).hasValue(true);
            server.restart();
            Stage.until(() -> turno.locks().tryTake("report", LONG) instanceof TakeOutcome.Taken);
        }
    }
}
