package dev.turno.benchmarks.locks;

import com.zaxxer.hikari.HikariDataSource;
import dev.turno.testkit.database.FreshDatabase;
import java.sql.SQLException;
import java.time.Duration;
import java.util.concurrent.locks.Lock;
import org.springframework.integration.jdbc.lock.DefaultLockRepository;
import org.springframework.integration.jdbc.lock.JdbcLockRegistry;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.DataSourceTransactionManager;

/** Spring Integration's JdbcLockRegistry, as documented, but resting for 10 ms between tries instead of 100. */
final class LockRegistry implements Contestant {

    @Override
    public String who() {
        return "JdbcLockRegistry";
    }

    @Override
    public Instance open(FreshDatabase database) throws SQLException {
        HikariDataSource pool = database.newPool(database.url(), LockRates.CONNECTIONS);
        new JdbcTemplate(pool)
                .execute("create table INT_LOCK (LOCK_KEY char(36) not null, REGION varchar(100) not null,"
                        + " CLIENT_ID char(36), CREATED_DATE timestamp not null, EXPIRED_AFTER timestamp not null,"
                        + " constraint INT_LOCK_PK primary key (LOCK_KEY, REGION))");
        DefaultLockRepository repository = new DefaultLockRepository(pool);
        repository.setTransactionManager(new DataSourceTransactionManager(pool));
        repository.afterPropertiesSet();
        repository.afterSingletonsInstantiated();
        repository.start();
        JdbcLockRegistry registry = new JdbcLockRegistry(repository, Duration.ofSeconds(30));
        registry.setIdleBetweenTries(Duration.ofMillis(10));
        return new Instance() {
            @Override
            public Client client() {
                return (name, inside) -> cycle(registry, name, inside);
            }

            @Override
            public void close() {
                repository.stop();
                pool.close();
            }
        };
    }

    private static void cycle(JdbcLockRegistry registry, String name, Runnable inside) {
        Lock lock = registry.obtain(name);
        lock.lock();
        try {
            inside.run();
        } finally {
            lock.unlock();
        }
    }
}
