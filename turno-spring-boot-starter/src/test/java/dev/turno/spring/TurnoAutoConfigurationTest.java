package dev.turno.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.zaxxer.hikari.HikariDataSource;
import dev.turno.PatientSource;
import dev.turno.Turno;
import dev.turno.claim.Result;
import dev.turno.inbox.InboxState;
import dev.turno.lock.LockOutcome;
import dev.turno.lock.LockTerms;
import dev.turno.lock.Locks;
import dev.turno.worker.FinishMode;
import java.sql.Connection;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.ApplicationContext;

class TurnoAutoConfigurationTest {

    private final ApplicationContextRunner application = Applications.onH2();

    @Test
    void an_application_has_a_running_turno() {
        TurnoWork orders = turno -> turno.handle("orders", (message, turn) -> Result.done());

        application.withBean("orders", TurnoWork.class, () -> orders).run(context -> {
            Turno turno = context.getBean(Turno.class);
            turno.inbox("orders").put("order-1", "{}");

            await().until(() -> turno.inbox("orders").counts().done() == 1);
            assertThat(turno.holders())
                    .singleElement()
                    .satisfies(holder -> assertThat(holder.node()).isEqualTo("here"));
        });
    }

    @Test
    void it_can_be_switched_off() {
        application
                .withPropertyValues("turno.enabled=false")
                .run(context -> assertThat(context)
                        .hasNotFailed()
                        .doesNotHaveBean(Turno.class)
                        .doesNotHaveBean(TurnoLifecycle.class));
    }

    @Test
    void locks_can_be_injected() {
        application.run(context -> {
            LockOutcome<String> outcome = context.getBean(Locks.class).whileHolding("report", lease -> "written");

            assertThat(outcome).isEqualTo(new LockOutcome.Ran<>("written"));
        });
    }

    @Test
    void an_inbox_behaves_as_configured() {
        application
                .withPropertyValues(
                        "turno.poll=200ms",
                        "turno.inboxes.orders.threads=3",
                        "turno.inboxes.orders.max-run=7s",
                        "turno.inboxes.orders.backoff.first=5ms",
                        "turno.inboxes.orders.backoff.most=9ms",
                        "turno.inboxes.orders.finish=at-once",
                        "turno.inboxes.orders.keep=0",
                        "turno.buffers.chat.quiet=3s",
                        "turno.buffers.chat.flush-words=now,go")
                .run(context -> {
                    var orders = context.getBean(Turno.class).inbox("orders").options();
                    var chat = context.getBean(Turno.class).buffers("chat").options();

                    assertThat(orders.work().threads()).isEqualTo(3);
                    assertThat(orders.work().maxRun()).isEqualTo(Duration.ofSeconds(7));
                    assertThat(orders.work().backoff().most()).isEqualTo(Duration.ofMillis(9));
                    assertThat(orders.work().finish()).isEqualTo(FinishMode.AT_ONCE);
                    assertThat(orders.work().poll()).isEqualTo(Duration.ofMillis(200));
                    assertThat(orders.keep()).isEmpty();
                    assertThat(chat.quiet()).isEqualTo(Duration.ofSeconds(3));
                    assertThat(chat.flushWords()).containsExactlyInAnyOrder("now", "go");
                });
    }

    @Test
    void locks_understand_the_older_names_and_prefer_the_newer() {
        application
                .withPropertyValues(
                        "lock.timeout.seconds=40",
                        "lock.retry.max=3",
                        "lock.retry.delay.ms=250",
                        "lock.cleanup.enabled=false",
                        "lock.cleanup.interval.seconds=60",
                        "application.service.name=CERT_AFORE",
                        "application.user.default=SYSTEM",
                        "turno.locks.retries=7")
                .run(context -> {
                    LockTerms terms = context.getBean(Locks.class).terms();

                    assertThat(terms)
                            .isEqualTo(LockTerms.of(expected -> expected.lease(Duration.ofSeconds(40))
                                    .retries(7)
                                    .delay(Duration.ofMillis(250))
                                    .cleanUp(false)
                                    .cleanUpEvery(Duration.ofSeconds(60))
                                    .service("CERT_AFORE")
                                    .user("SYSTEM")));
                });
    }

    /** The handlers take every connection that the application has, for longer than the lease. */
    @Test
    void handlers_that_use_up_the_connections_do_not_make_the_process_look_dead() {
        CountDownLatch enough = new CountDownLatch(1);
        application
                .withPropertyValues("turno.holder.lease=2s", "spring.datasource.hikari.maximum-pool-size=2")
                .run(context -> {
                    Turno turno = context.getBean(Turno.class);
                    HikariDataSource pool = context.getBean(HikariDataSource.class);
                    AtomicInteger busy = new AtomicInteger();
                    turno.handle("greedy", (message, turn) -> {
                        try (Connection mine = pool.getConnection()) {
                            busy.incrementAndGet();
                            enough.await();
                            return mine.isValid(1) ? Result.done() : Result.retry("no connection");
                        }
                    });
                    List.of("a", "b").forEach(id -> turno.inbox("greedy").put(id, "{}"));
                    await().until(() -> busy.get() == 2);
                    String holder = turno.holder().toString();

                    await().during(Duration.ofMillis(2_500))
                            .atMost(Duration.ofSeconds(
                                    30)) // a machine that stands still for a moment is none of our faults
                            .until(() -> turno.isHealthy()
                                    && turno.holders().stream().noneMatch(one -> one.lapsed()));

                    enough.countDown();
                    await().until(() -> turno.inbox("greedy").counts().done() == 2);
                    assertThat(turno.holder()).hasToString(holder);
                });
    }

    @Test
    void its_own_pool_is_small_and_goes_with_the_application() {
        List<HikariDataSource> pools = new ArrayList<>();

        application.withPropertyValues("turno.pool.size=4").run(context -> {
            HikariDataSource own = own(context);
            pools.add(own);
            assertThat(own).isNotSameAs(context.getBean(HikariDataSource.class));
            assertThat(own.getMaximumPoolSize()).isEqualTo(4);
            assertThat(own.getConnectionTimeout()).isLessThanOrEqualTo(5_000);
            assertThat(own.getExceptionOverride()).isInstanceOf(BrokenConnections.class);
        });

        assertThat(pools).allMatch(HikariDataSource::isClosed).hasSize(1);
    }

    @Test
    void its_own_pool_does_not_rest_while_the_database_is_away_and_the_applications_only_if_asked_not_to() {
        application.run(context -> {
            assertThat(own(context).getDataSource()).isInstanceOf(PatientSource.class);
            assertThat(context.getBean(HikariDataSource.class).getDataSource()).isNull();
        });

        application
                .withBean(PatientPools.class, PatientPools::new)
                .run(context -> assertThat(
                                context.getBean(HikariDataSource.class).getDataSource())
                        .isInstanceOf(PatientSource.class)
                        // Each tells its own pool why there is no connection.
                        .isNotSameAs(own(context).getDataSource()));
    }

    private static HikariDataSource own(ApplicationContext context) {
        return (HikariDataSource) context.getBean(Connections.class).forTurno();
    }

    @Test
    void it_can_share_the_applications_connections() {
        application
                .withPropertyValues("turno.pool.own=false")
                .run(context -> assertThat(context.getBean(Connections.class).forTurno())
                        .isSameAs(context.getBean(HikariDataSource.class)));
    }

    @Test
    void an_application_that_stops_lets_handlers_end_and_one_that_starts_again_goes_on() {
        CountDownLatch begun = new CountDownLatch(1);
        TurnoWork slow = turno -> turno.handle("slow", (message, turn) -> {
            begun.countDown();
            Thread.sleep(300);
            return Result.done();
        });

        application
                .withPropertyValues("turno.drain=1m")
                .withBean("slow", TurnoWork.class, () -> slow)
                .run(context -> {
                    Turno turno = context.getBean(Turno.class);
                    turno.inbox("slow").put("first", "{}");
                    begun.await();

                    context.getSourceApplicationContext().stop();

                    assertThat(turno.inbox("slow").find("first"))
                            .hasValueSatisfying(
                                    message -> assertThat(message.state()).isEqualTo(InboxState.DONE));
                    turno.inbox("slow")
                            .put("second", "{}"); // puts are for those requests that are still being answered
                    context.getSourceApplicationContext().start();
                    await().until(() -> turno.inbox("slow").counts().done() == 2);
                });
    }

    @Test
    void work_ends_before_the_web_server_and_after_the_streams() {
        application.run(context ->
                assertThat(context.getBean(TurnoLifecycle.class).getPhase()).isEqualTo(Integer.MAX_VALUE - 256));
    }
}
