package dev.turno.web.dashboard;

import static org.awaitility.Awaitility.await;

import dev.turno.TurnoOptions.SchemaMode;
import dev.turno.testkit.database.FreshDatabase;
import dev.turno.testkit.database.OnDatabase;
import dev.turno.testkit.database.TestDatabase;
import dev.turno.watch.WorkEvent;
import dev.turno.web.tables.WebTables;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.springframework.jdbc.datasource.DelegatingDataSource;

@OnDatabase(TestDatabase.H2)
class FailuresTest {

    private static final Duration SOON = Duration.ofSeconds(15);

    @Test
    void an_error_does_not_end_the_writing_down_of_failures(FreshDatabase database) {
        AtomicInteger errors = new AtomicInteger();
        DelegatingDataSource source = new DelegatingDataSource(database.dataSource()) {
            @Override
            public Connection getConnection() throws SQLException {
                if (errors.getAndUpdate(n -> Math.max(0, n - 1)) > 0) {
                    throw new NoClassDefFoundError("of a driver");
                }
                return super.getConnection();
            }
        };
        WebTables tables = WebTables.open(source, "default", SchemaMode.MIGRATE);
        Failures failures = new Failures(tables, new Glances(tables));
        errors.set(1);
        failures.start();
        failed(failures, 1);
        await().atMost(SOON).until(() -> errors.get() == 0);

        failed(failures, 2);

        await().atMost(SOON).until(() -> !failures.of("orders/1#1").isEmpty());
        failures.stop();
    }

    private static void failed(Failures failures, int attempt) {
        failures.on(new WorkEvent.Failed("inbox orders", "default/orders/1#1", attempt, "boom", Duration.ZERO));
    }
}
