package dev.turno.testkit.chaos;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.util.DriverDataSource;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Properties;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * New connections for a pool, tried for again and again while the server is away. Hikari rests for up to five seconds after an attempt that
 * failed, and nothing goes on meanwhile although the server has come back: so attempts do not fail at once. Threads may share it.
 */
final class PatientSource implements InvocationHandler {

    private static final long PATIENCE = Duration.ofSeconds(30).toNanos();
    private static final long REST_MS = 100;

    private final DataSource source;

    private PatientSource(DataSource source) {
        this.source = source;
    }

    /** In the place of the URL and the login that it has. */
    static void within(HikariConfig config) {
        DataSource plain = new DriverDataSource(
                config.getJdbcUrl(), null, new Properties(), config.getUsername(), config.getPassword());
        config.setDataSource((DataSource) Proxy.newProxyInstance(
                PatientSource.class.getClassLoader(), new Class<?>[] {DataSource.class}, new PatientSource(plain)));
    }

    @Override
    public @Nullable Object invoke(Object proxy, Method method, @Nullable Object @Nullable [] arguments)
            throws Throwable {
        long until = System.nanoTime() + PATIENCE;
        while (true) {
            try {
                return method.invoke(source, arguments);
            } catch (InvocationTargetException e) {
                boolean again = e.getCause() instanceof SQLException
                        && method.getName().equals("getConnection")
                        && System.nanoTime() - until < 0;
                if (!again) {
                    throw e.getCause() == null ? e : e.getCause();
                }
                Thread.sleep(REST_MS);
            }
        }
    }
}
