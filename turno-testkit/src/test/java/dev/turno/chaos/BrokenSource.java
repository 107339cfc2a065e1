package dev.turno.chaos;

import dev.turno.simulation.Broken;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.util.concurrent.atomic.AtomicBoolean;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/** Connections on which the product's statements are changed on their way. Threads may share it. */
final class BrokenSource {

    private final Broken broken;
    private final Runnable whenChanged;
    private final AtomicBoolean changed = new AtomicBoolean();

    private BrokenSource(Broken broken, Runnable whenChanged) {
        this.broken = broken;
        this.whenChanged = whenChanged;
    }

    /** @param whenChanged is called at the first statement that is changed: a build that never gets there is not broken at all */
    static DataSource around(DataSource source, Broken broken, Runnable whenChanged) {
        return broken == Broken.NOTHING ? source : new BrokenSource(broken, whenChanged).around(source);
    }

    private DataSource around(DataSource source) {
        return proxy(DataSource.class, (proxy, method, arguments) -> {
            Object answer = call(source, method, arguments);
            return answer instanceof Connection connection ? around(connection) : answer;
        });
    }

    private Connection around(Connection connection) {
        return proxy(Connection.class, (proxy, method, arguments) -> {
            if (method.getName().equals("prepareStatement") && arguments != null) {
                arguments[0] = changed((String) arguments[0]);
            }
            return call(connection, method, arguments);
        });
    }

    private String changed(String sql) {
        String other = broken.change(sql);
        if (!other.equals(sql) && changed.compareAndSet(false, true)) {
            whenChanged.run();
        }
        return other;
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
