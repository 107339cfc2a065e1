package dev.turno.proof;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import com.zaxxer.hikari.pool.HikariPool.PoolInitializationException;
import com.zaxxer.hikari.util.DriverDataSource;
import dev.turno.PatientSource;
import dev.turno.testkit.database.FreshDatabase;
import dev.turno.testkit.database.OnEveryDatabase;
import dev.turno.testkit.database.RestartableServer;
import dev.turno.testkit.database.TcpProxy;
import dev.turno.testkit.database.TestDatabase;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.SQLTransientConnectionException;
import java.time.Duration;
import java.util.Properties;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** How a pool finds back to a server that was away. */
@Timeout(120)
@OnEveryDatabase(onServer = true)
class PatientSourceTest {

    private static final Duration SOON = Duration.ofSeconds(30);

    /** Hikari by itself tries ten times in the first five seconds, and five times in the 25 after them. */
    private static final int MORE_THAN_HIKARI_WOULD = 25;

    private final FreshDatabase database;
    private final AtomicInteger tries = new AtomicInteger();

    PatientSourceTest(FreshDatabase database) {
        this.database = database;
    }

    @Test
    void a_pool_tries_many_times_a_second_and_can_say_why_until_the_way_is_free_again() throws SQLException {
        try (TcpProxy proxy = TcpProxy.to(database.port());
                HikariDataSource pool = pool(database.urlThrough(proxy.port()))) {
            assertFindsBack(pool, proxy::reset, proxy::pass);
        }
    }

    @Test
    void a_pool_finds_back_to_a_server_that_was_stopped() throws SQLException {
        Assumptions.assumeTrue(Scale.isFull() || database.kind() == TestDatabase.POSTGRESQL, "to make one takes long");
        try (RestartableServer server = database.kind().newServer();
                FreshDatabase there = server.fresh();
                HikariDataSource pool = pool(there.url())) {
            assertFindsBack(pool, server::shutDown, server::restart);
        }
    }

    private void assertFindsBack(HikariDataSource pool, Runnable leave, Runnable comeBack) throws SQLException {
        pool.getConnection().close();
        leave.run();
        int before = tries.get();
        pool.getHikariPoolMXBean().softEvictConnections();

        await().atMost(SOON).until(() -> tries.get() >= before + MORE_THAN_HIKARI_WOULD);
        assertThatThrownBy(pool::getConnection)
                .isInstanceOf(SQLTransientConnectionException.class)
                .hasCauseInstanceOf(SQLException.class);

        comeBack.run();
        await().atMost(SOON).ignoreExceptions().until(() -> isReached(pool));
    }

    private static boolean isReached(DataSource pool) throws SQLException {
        try (Connection connection = pool.getConnection()) {
            return connection.isValid(5);
        }
    }

    @Test
    void a_start_without_a_server_fails_at_once() {
        String nowhere = nowhere();

        assertThatThrownBy(() -> pool(nowhere).close()).isInstanceOf(PoolInitializationException.class);

        assertThat(tries).hasValue(1);
    }

    @Test
    void what_is_refused_for_another_reason_is_told_at_once_each_time() {
        DataSource source = new PatientSource(counted(database.url()));

        for (int i = 1; i <= 2; i++) {
            assertThatThrownBy(() -> source.getConnection("nobody_of_that_name", "guessed"))
                    .isInstanceOf(SQLException.class);
            assertThat(tries).hasValue(i);
        }
    }

    @Test
    void whoever_waits_can_be_interrupted() {
        Assumptions.assumeTrue(database.kind() != TestDatabase.H2, "its driver keeps an interruption to itself");
        PatientSource source = new PatientSource(counted(nowhere()));
        assertThatThrownBy(source::getConnection).isInstanceOf(SQLException.class);
        CompletableFuture<Boolean> interrupted = new CompletableFuture<>();
        Thread waiting = new Thread(
                () -> {
                    assertThatThrownBy(source::getConnection).isInstanceOf(SQLException.class);
                    interrupted.complete(Thread.currentThread().isInterrupted());
                },
                "waiting");
        waiting.start();
        await().atMost(SOON).until(() -> tries.get() > 3);

        waiting.interrupt();

        assertThat(interrupted).succeedsWithin(SOON).isEqualTo(true);
    }

    private HikariDataSource pool(String url) {
        var config = new HikariConfig();
        config.setDataSource(new PatientSource(counted(url)));
        config.setMinimumIdle(1);
        config.setMaximumPoolSize(2);
        config.setConnectionTimeout(3_000); // on a busy machine a first connection takes its time
        return new HikariDataSource(config);
    }

    private DataSource counted(String url) {
        var plain = new DriverDataSource(url, null, new Properties(), database.user(), database.password());
        return (DataSource) Proxy.newProxyInstance(
                getClass().getClassLoader(), new Class<?>[] {DataSource.class}, (proxy, method, arguments) -> {
                    if (method.getName().equals("getConnection")) {
                        tries.incrementAndGet();
                    }
                    return invoke(plain, method, arguments);
                });
    }

    private static Object invoke(DataSource source, Method method, Object @Nullable [] arguments) throws Throwable {
        try {
            return method.invoke(source, arguments);
        } catch (InvocationTargetException e) {
            throw e.getTargetException();
        }
    }

    /** Where nobody listens any more. */
    private String nowhere() {
        TcpProxy proxy = TcpProxy.to(database.port());
        proxy.close();
        return database.urlThrough(proxy.port());
    }
}
