package dev.turno.testkit.database;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntFunction;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/** An empty database for one test, which nobody else uses. Closing it drops it. Threads may share it. */
public final class FreshDatabase implements AutoCloseable {

    private static final int CONNECTIONS = 10;
    private static final int NO_PORT = 0;

    private final TestDatabase kind;
    private final String name;
    private final IntFunction<String> urls;
    private final int port;
    private final Login login;
    private final Runnable drop;
    private final List<HikariDataSource> pools = new ArrayList<>();
    private @Nullable HikariDataSource usual;
    private boolean closed;

    FreshDatabase(TestDatabase kind, String name, IntFunction<String> urls, int port, Login login, Runnable drop) {
        this.kind = kind;
        this.name = name;
        this.urls = urls;
        this.port = port;
        this.login = login;
        this.drop = drop;
    }

    static FreshDatabase withoutPort(TestDatabase kind, String name, String url, Login login, Runnable drop) {
        return new FreshDatabase(kind, name, anyPort -> url, NO_PORT, login, drop);
    }

    /** The same database, reached by another way for good. Closing it drops the one database. */
    FreshDatabase through(int otherPort, String options) {
        return new FreshDatabase(kind, name, via -> urls.apply(via) + options, otherPort, login, this::close);
    }

    public TestDatabase kind() {
        return kind;
    }

    String name() {
        return name;
    }

    /** The JDBC address, with connect and socket timeouts. */
    public String url() {
        return urls.apply(port);
    }

    /** The same database reached through another port, such as that of a {@link TcpProxy}. */
    public String urlThrough(int otherPort) {
        requireServer();
        return urls.apply(otherPort);
    }

    public int port() {
        requireServer();
        return port;
    }

    public String user() {
        return login.user();
    }

    public String password() {
        return login.password();
    }

    /** A pool of at most ten connections: the same at each call, closed with this database. */
    public synchronized DataSource dataSource() {
        if (usual == null) {
            usual = newPool(url(), CONNECTIONS);
        }
        return usual;
    }

    /** Another pool, as another instance of the application would have. Closed with this database at the latest. */
    public synchronized HikariDataSource newPool(String url, int connections) {
        if (closed) {
            throw new IllegalStateException(this + " is closed");
        }
        var pool = new HikariDataSource(config(url, connections));
        pools.add(pool);
        return pool;
    }

    /** Closes the pools and drops the database, whoever else is still connected. */
    @Override
    public synchronized void close() {
        if (!closed) {
            closed = true;
            pools.forEach(HikariDataSource::close);
            drop.run();
        }
    }

    @Override
    public String toString() {
        return kind + " " + name;
    }

    private HikariConfig config(String url, int connections) {
        HikariConfig config = poolOf(url, user(), password());
        config.setPoolName(kind + "-" + name + "-" + pools.size());
        config.setMaximumPoolSize(connections);
        config.setMinimumIdle(0);
        config.setConnectionTimeout(Timeouts.POOL.toMillis());
        config.setValidationTimeout(Timeouts.CONNECT.toMillis());
        return config;
    }

    /** For a pool that connects when first used, so that it can be made while its server is down, and that notices broken connections. */
    public static HikariConfig poolOf(String url, String user, String password) {
        var config = new HikariConfig();
        config.setJdbcUrl(url);
        config.setUsername(user);
        config.setPassword(password);
        config.setInitializationFailTimeout(-1);
        config.setExceptionOverride(new BrokenConnections());
        return config;
    }

    private void requireServer() {
        if (port == NO_PORT) {
            throw new IllegalStateException(
                    this + " lives in this JVM, or on two servers, and has no port. Take TestDatabase.freshOnServer(), "
                            + "or @OnEveryDatabase(onServer = true).");
        }
    }
}
