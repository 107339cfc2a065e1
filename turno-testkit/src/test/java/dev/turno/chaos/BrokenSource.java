package dev.turno.chaos;

import dev.turno.simulation.Broken;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/** Connections on which the product's statements are changed on their way, and some of them come late. Threads may share it. */
final class BrokenSource {

    /** Nearly all the time that a process does nothing but such statements: a freeze at any moment then falls into one. */
    private static final Duration HESITATION = Duration.ofMillis(500);

    private final Broken broken;
    private final Broken hesitant;
    private final Runnable whenChanged;
    private final AtomicBoolean changed = new AtomicBoolean();

    private BrokenSource(Broken broken, Broken hesitant, Runnable whenChanged) {
        this.broken = broken;
        this.hesitant = hesitant;
        this.whenChanged = whenChanged;
    }

    /**
     * @param hesitant the statements that have this rule are asked a moment later than they were meant to be, be it left out or not
     * @param whenChanged is called at the first statement that is changed: a build that never gets there is not broken at all
     */
    static DataSource around(DataSource source, Broken broken, Broken hesitant, Runnable whenChanged) {
        return broken == Broken.NOTHING && hesitant == Broken.NOTHING
                ? source
                : new BrokenSource(broken, hesitant, whenChanged).around(source);
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
                String sql = (String) arguments[0];
                hesitate(sql);
                arguments[0] = changed(sql);
            }
            return call(connection, method, arguments);
        });
    }

    private void hesitate(String sql) throws InterruptedException {
        if (!hesitant.change(sql).equals(sql)) {
            Thread.sleep(HESITATION.toMillis());
        }
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
