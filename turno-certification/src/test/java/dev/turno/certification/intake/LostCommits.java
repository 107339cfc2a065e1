package dev.turno.certification.intake;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.concurrent.atomic.AtomicInteger;
import javax.sql.DataSource;
import org.springframework.jdbc.datasource.DelegatingDataSource;

/** A database whose next commits take place, and whose answers to them are lost on the way. */
final class LostCommits extends DelegatingDataSource {

    private final AtomicInteger left;

    LostCommits(DataSource database, AtomicInteger left) {
        super(database);
        this.left = left;
    }

    @Override
    public Connection getConnection() throws SQLException {
        Connection real = super.getConnection();
        return (Connection) Proxy.newProxyInstance(
                Connection.class.getClassLoader(), new Class<?>[] {Connection.class}, (proxy, method, arguments) -> {
                    try {
                        Object value = method.invoke(real, arguments);
                        if (method.getName().equals("commit") && left.getAndUpdate(n -> Math.max(0, n - 1)) > 0) {
                            throw new SQLException("the connection was reset", "08006");
                        }
                        return value;
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                });
    }
}
