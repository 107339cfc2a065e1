package dev.turno.chaos;

import dev.turno.simulation.Broken;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/** Connections on which the product's statements are changed on their way. */
final class BrokenSource {

    private BrokenSource() {}

    static DataSource around(DataSource source, Broken broken) {
        return broken == Broken.NOTHING
                ? source
                : proxy(DataSource.class, (proxy, method, arguments) -> {
                    Object answer = call(source, method, arguments);
                    return answer instanceof Connection connection ? around(connection, broken) : answer;
                });
    }

    private static Connection around(Connection connection, Broken broken) {
        return proxy(Connection.class, (proxy, method, arguments) -> {
            if (method.getName().equals("prepareStatement") && arguments != null) {
                arguments[0] = broken.change((String) arguments[0]);
            }
            return call(connection, method, arguments);
        });
    }

    private static @Nullable Object call(
            Object target, java.lang.reflect.Method method, @Nullable Object @Nullable [] arguments) throws Throwable {
        try {
            return method.invoke(target, arguments);
        } catch (InvocationTargetException e) {
            throw e.getCause() == null ? e : e.getCause();
        }
    }

    private static <T> T proxy(Class<T> type, InvocationHandler handler) {
        return type.cast(Proxy.newProxyInstance(BrokenSource.class.getClassLoader(), new Class<?>[] {type}, handler));
    }
}
