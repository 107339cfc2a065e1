package dev.turno.certification.intake;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.concurrent.atomic.AtomicInteger;
import javax.sql.DataSource;
import org.springframework.jdbc.datasource.DelegatingDataSource;

/** A database whose next commits take place, and whose answers to them are lost on the way; also those of a statement that commits by itself. */
final class LostCommits extends DelegatingDataSource {

    private final AtomicInteger left;

    LostCommits(DataSource database, AtomicInteger left) {
        super(database);
        this.left = left;
    }

    @Override
    public Connection getConnection() throws SQLException {
        Connection real = super.getConnection();
        return proxy(Connection.class, (method, arguments) -> {
            Object value = method.invoke(real, arguments);
            if (method.getName().equals("commit")) {
                lose();
            }
            boolean stores = value instanceof PreparedStatement
                    && real.getAutoCommit()
                    && String.valueOf(arguments[0]).contains("insert into turno_certification");
            return stores ? losing((PreparedStatement) value) : value;
        });
    }

    private PreparedStatement losing(PreparedStatement real) {
        return proxy(PreparedStatement.class, (method, arguments) -> {
            Object value = method.invoke(real, arguments);
            if (method.getName().startsWith("execute")) {
                lose();
            }
            return value;
        });
    }

    private void lose() throws SQLException {
        if (left.getAndUpdate(n -> Math.max(0, n - 1)) > 0) {
            throw new SQLException("the connection was reset", "08006");
        }
    }

    @FunctionalInterface
    private interface Call {
        Object on(Method method, Object[] arguments) throws Exception;
    }

    private static <T> T proxy(Class<T> type, Call call) {
        return type.cast(Proxy.newProxyInstance(
                type.getClassLoader(), new Class<?>[] {type}, (proxy, method, arguments) -> {
                    try {
                        return call.on(method, arguments);
                    } catch (InvocationTargetException e) {
                        throw e.getTargetException();
                    }
                }));
    }
}
