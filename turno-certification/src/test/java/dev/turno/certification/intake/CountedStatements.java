package dev.turno.certification.intake;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import javax.sql.DataSource;
import org.springframework.jdbc.datasource.DelegatingDataSource;

/** Counts what goes to the database through it: statements, commits and rollbacks. */
final class CountedStatements extends DelegatingDataSource {

    private static final Set<String> SENT = Set.of("prepareStatement", "createStatement", "commit", "rollback");

    private final AtomicInteger count = new AtomicInteger();

    CountedStatements(DataSource database) {
        super(database);
    }

    int statements() {
        return count.get();
    }

    @Override
    public Connection getConnection() throws SQLException {
        Connection real = super.getConnection();
        return (Connection) Proxy.newProxyInstance(
                Connection.class.getClassLoader(), new Class<?>[] {Connection.class}, (proxy, method, arguments) -> {
                    if (SENT.contains(method.getName())) {
                        count.incrementAndGet();
                    }
                    try {
                        return method.invoke(real, arguments);
                    } catch (InvocationTargetException e) {
                        throw e.getTargetException();
                    }
                });
    }
}
