package dev.turno.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.awaitility.Awaitility.await;

import com.zaxxer.hikari.HikariDataSource;
import dev.turno.Turno;
import dev.turno.buffer.BufferMessage;
import dev.turno.claim.Result;
import dev.turno.claim.Turn;
import dev.turno.inbox.InboxState;
import dev.turno.inbox.NewMessage;
import dev.turno.inbox.PutOutcome;
import dev.turno.testkit.database.FreshDatabase;
import dev.turno.testkit.database.OnEveryDatabase;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.support.DefaultListableBeanFactory;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.support.TransactionSynchronizationManager;
import org.springframework.transaction.support.TransactionTemplate;

@OnEveryDatabase
class TransactionsTest {

    static class Handlers {

        final AtomicInteger calls = new AtomicInteger();
        final CountDownLatch woken = new CountDownLatch(2);
        final JdbcTemplate jdbc;

        Handlers(JdbcTemplate jdbc) {
            this.jdbc = jdbc;
        }

        @InboxHandler("woken")
        void woken(String body) {
            woken.countDown();
        }

        /** Writes, and fails the first time. */
        @InboxHandler(value = "effects", transactional = true)
        void effects(String body) {
            jdbc.update("insert into effect (body) values (?)", body);
            if (calls.incrementAndGet() == 1) {
                throw new IllegalStateException("first time");
            }
        }
    }

    /** Goes on after its time, deaf to the interrupt, until another has taken its work over. */
    static class Deaf {

        final CountDownLatch takenOver = new CountDownLatch(1);
        final CountDownLatch over = new CountDownLatch(1);
        final JdbcTemplate jdbc;

        Deaf(JdbcTemplate jdbc) {
            this.jdbc = jdbc;
        }

        @InboxHandler(value = "overtaken", transactional = true)
        void handle(String body, Turn turn) {
            if (turn.fence() == 1) {
                awaitDeaf();
                jdbc.update("insert into effect (body) values (?)", "too late");
                over.countDown();
            } else {
                takenOver.countDown();
                jdbc.update("insert into effect (body) values (?)", body);
            }
        }

        private void awaitDeaf() {
            while (takenOver.getCount() > 0) {
                LockSupport.parkNanos(1_000_000);
                Thread.interrupted();
            }
        }
    }

    private final ApplicationContextRunner application;

    TransactionsTest(FreshDatabase database) {
        application = Applications.on(database)
                .withPropertyValues("turno.inboxes.effects.backoff.first=1ms", "turno.poll=30s")
                .withBean(Handlers.class);
    }

    private static void createEffects(JdbcTemplate jdbc) {
        jdbc.execute("create table effect (body varchar(100) not null)");
    }

    @Test
    void what_is_put_in_a_transaction_goes_with_it() {
        application.run(context -> {
            TurnoTemplate template = context.getBean(TurnoTemplate.class);
            TransactionTemplate transaction =
                    new TransactionTemplate(context.getBean(PlatformTransactionManager.class));
            Turno turno = context.getBean(Turno.class);

            transaction.executeWithoutResult(status -> {
                template.put("orders", "gone", "{}");
                template.putAll(
                        "orders", List.of(NewMessage.of("gone too", "{}").inOrderOf("key")));
                template.add("chat", "ana", BufferMessage.of("1", "hola"));
                status.setRollbackOnly();
            });
            assertThat(turno.inbox("orders").find("gone")).isEmpty();
            assertThat(turno.inbox("orders").find("gone too")).isEmpty();
            assertThat(turno.buffers("chat").find("ana")).isEmpty();

            transaction.executeWithoutResult(status -> {
                assertThat(template.put("orders", "there", "{}")).isEqualTo(new PutOutcome.Stored());
                assertThat(turno.inbox("orders").find("there"))
                        .as("before the commit")
                        .isEmpty();
            });
            assertThat(turno.inbox("orders").find("there")).isPresent();
        });
    }

    @Test
    void without_a_transaction_a_put_is_one_by_itself() {
        application.run(context -> {
            assertThat(context.getBean(TurnoTemplate.class).put("orders", "1", "{}"))
                    .isEqualTo(new PutOutcome.Stored());
            assertThat(context.getBean(Turno.class).inbox("orders").find("1")).isPresent();
        });
    }

    /** A loop that has just begun looks often by itself: so it is the wake-up that is looked for, one for all puts. */
    @Test
    void the_commit_wakes_the_workers() {
        application.run(context -> {
            TransactionTemplate transaction =
                    new TransactionTemplate(context.getBean(PlatformTransactionManager.class));
            TurnoTemplate template = context.getBean(TurnoTemplate.class);

            transaction.executeWithoutResult(status -> {
                template.put("woken", "1", "{}");
                template.put("woken", "2", "{}");
                assertThat(TransactionSynchronizationManager.getSynchronizations())
                        .hasSize(1);
            });

            assertThat(context.getBean(Handlers.class).woken.await(30, TimeUnit.SECONDS))
                    .isTrue();
        });
    }

    @Test
    void the_effects_of_a_transactional_handler_happen_once() {
        application.run(context -> {
            JdbcTemplate jdbc = context.getBean(JdbcTemplate.class);
            createEffects(jdbc);
            Turno turno = context.getBean(Turno.class);

            turno.inbox("effects").put("1", "paid");

            await().until(() -> turno.inbox("effects").find("1").orElseThrow().state() == InboxState.DONE);
            assertThat(context.getBean(Handlers.class).calls).hasValue(2);
            assertThat(jdbc.queryForList("select body from effect", String.class))
                    .containsExactly("paid");
        });
    }

    @Test
    void the_effects_of_a_transactional_handler_that_lost_its_claim_are_rolled_back() {
        application
                .withBean(Deaf.class)
                .withPropertyValues("turno.inboxes.overtaken.max-run=200ms", "turno.inboxes.overtaken.poll=50ms")
                .run(context -> {
                    JdbcTemplate jdbc = context.getBean(JdbcTemplate.class);
                    createEffects(jdbc);
                    Turno turno = context.getBean(Turno.class);

                    turno.inbox("overtaken").put("1", "paid");

                    assertThat(context.getBean(Deaf.class).over.await(30, TimeUnit.SECONDS))
                            .isTrue();
                    await().until(() ->
                            turno.inbox("overtaken").find("1").orElseThrow().state() == InboxState.DONE
                                    && turno.counters().count("turno.claims.lost") > 0);
                    assertThat(jdbc.queryForList("select body from effect", String.class))
                            .containsExactly("paid");
                });
    }

    /** Another database of the application's, with a transaction manager of its own. */
    private ApplicationContextRunner withAnother(boolean autoCommit) {
        HikariDataSource other = new HikariDataSource();
        other.setJdbcUrl("jdbc:h2:mem:other-" + UUID.randomUUID());
        return application
                .withPropertyValues("spring.datasource.hikari.auto-commit=" + autoCommit)
                .withBean(
                        "others",
                        PlatformTransactionManager.class,
                        () -> new JdbcTransactionManager(other),
                        definition -> definition.setAutowireCandidate(false));
    }

    @Test
    void a_transaction_of_another_data_source_is_not_joined() {
        for (boolean autoCommit : new boolean[] {true, false}) {
            withAnother(autoCommit).run(context -> {
                TransactionTemplate others =
                        new TransactionTemplate(context.getBean("others", PlatformTransactionManager.class));
                Turno turno = context.getBean(Turno.class);
                TurnoTemplate template = context.getBean(TurnoTemplate.class);
                String id = "auto-commit " + autoCommit;
                AtomicReference<Throwable> refused = new AtomicReference<>();
                turno.handle("plain", (message, turn) -> {
                    others.executeWithoutResult(status -> refused.set(catchThrowable(() -> template.finish(turn))));
                    return Result.reject("not finished");
                });

                others.executeWithoutResult(status -> {
                    // From now on the transaction has a connection of Turno's data source too, which nobody will
                    // commit.
                    context.getBean(JdbcTemplate.class).queryForList("select 1", Integer.class);
                    template.put("kept", id, "{}");
                    status.setRollbackOnly();
                });
                turno.inbox("plain").put(id, "{}");

                assertThat(turno.inbox("kept").find(id)).isPresent();
                await().until(() -> turno.inbox("plain").find(id).orElseThrow().state() == InboxState.DEAD);
                assertThat(refused.get()).hasMessageContaining("no transaction of Turno's data source");
            });
        }
    }

    @Test
    void a_transactional_handler_gets_the_transactions_of_turnos_data_source_or_the_application_does_not_start() {
        DataSource own = new HikariDataSource();
        DataSource other = new HikariDataSource();
        var beans = new DefaultListableBeanFactory();
        beans.registerSingleton("others", new JdbcTransactionManager(other));
        Transactions transactions = new Transactions(own, beans.getBeanProvider(PlatformTransactionManager.class));

        assertThat(transactions.ofTurno()).isEmpty();
        JdbcTransactionManager ours = new JdbcTransactionManager(own);
        beans.registerSingleton("ours", ours);
        assertThat(transactions.ofTurno()).contains(ours);
    }

    @Test
    void a_finish_needs_a_transaction() {
        application.run(context -> {
            Turno turno = context.getBean(Turno.class);
            TurnoTemplate template = context.getBean(TurnoTemplate.class);
            CountDownLatch told = new CountDownLatch(1);
            turno.handle("plain", (message, turn) -> {
                assertThatThrownBy(() -> template.finish(turn))
                        .hasMessageContaining("there is no transaction of Turno's data source to join");
                told.countDown();
                return Result.done();
            });

            turno.inbox("plain").put("1", "{}");

            assertThat(told.await(30, TimeUnit.SECONDS)).isTrue();
        });
    }
}
