package dev.turno.benchmarks.locks;

import com.zaxxer.hikari.HikariDataSource;
import dev.turno.testkit.database.FreshDatabase;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import net.javacrumbs.shedlock.core.LockConfiguration;
import net.javacrumbs.shedlock.core.LockProvider;
import net.javacrumbs.shedlock.core.SimpleLock;
import net.javacrumbs.shedlock.provider.jdbctemplate.JdbcTemplateLockProvider;
import org.springframework.jdbc.core.JdbcTemplate;

/** ShedLock over JdbcTemplate with the database's time, as documented. It cannot wait, so its user backs off as Turno does. */
final class ShedLock implements Contestant {

    @Override
    public String who() {
        return "ShedLock";
    }

    @Override
    public Instance open(FreshDatabase database) throws SQLException {
        HikariDataSource pool = database.newPool(database.url(), LockRates.CONNECTIONS);
        JdbcTemplate template = new JdbcTemplate(pool);
        template.execute("create table shedlock (name varchar(64) not null, lock_until timestamp not null,"
                + " locked_at timestamp not null, locked_by varchar(255) not null, primary key (name))");
        LockProvider provider = new JdbcTemplateLockProvider(JdbcTemplateLockProvider.Configuration.builder()
                .withJdbcTemplate(template)
                .usingDbTime()
                .build());
        return new Instance() {
            @Override
            public Client client() {
                return (name, inside) -> cycle(provider, name, inside);
            }

            @Override
            public void close() {
                pool.close();
            }
        };
    }

    private static void cycle(LockProvider provider, String name, Runnable inside) throws InterruptedException {
        Optional<SimpleLock> lock = take(provider, name);
        while (lock.isEmpty()) {
            LockRates.backOff(Duration.ofMillis(5), Duration.ofMillis(20));
            lock = take(provider, name);
        }
        inside.run();
        lock.get().unlock();
    }

    private static Optional<SimpleLock> take(LockProvider provider, String name) {
        return provider.lock(new LockConfiguration(Instant.now(), name, Duration.ofSeconds(30), Duration.ZERO));
    }
}
