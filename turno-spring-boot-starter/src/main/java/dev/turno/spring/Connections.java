package dev.turno.spring;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Optional;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.boot.jdbc.DataSourceUnwrapper;
import org.springframework.jdbc.datasource.DelegatingDataSource;

/**
 * The application's data source, in whose transactions Turno takes part, and the connections that Turno uses for itself. Not a data
 * source bean: an application with two of them would have to say everywhere which one it means.
 */
public final class Connections implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(Connections.class);
    private static final int IDLE = 2;

    private final DataSource application;
    private final @Nullable HikariDataSource own;

    Connections(DataSource application, TurnoProperties properties) {
        this.application = application;
        this.own = properties.pool().own() ? ownPool(application, properties).orElse(null) : null;
    }

    private static Optional<HikariDataSource> ownPool(DataSource application, TurnoProperties properties) {
        HikariDataSource pool = DataSourceUnwrapper.unwrap(
                application, com.zaxxer.hikari.HikariConfigMXBean.class, HikariDataSource.class);
        if (pool == null) {
            LOG.info(
                    "Turno shares the connections of {}, which is no Hikari pool. Give it room: if handlers use up the"
                            + " connections, Turno cannot give its sign of life.",
                    application);
        }
        return Optional.ofNullable(pool).map(like -> new HikariDataSource(config(like, properties)));
    }

    private static HikariConfig config(HikariDataSource like, TurnoProperties properties) {
        HikariConfig config = new HikariConfig();
        like.copyStateTo(config);
        config.setPoolName(like.getPoolName() == null ? "turno" : like.getPoolName() + "-turno");
        config.setMaximumPoolSize(properties.pool().size());
        config.setMinimumIdle(Math.min(IDLE, properties.pool().size()));
        // Who waits for a connection for longer than the lease is taken for dead.
        Duration patience = properties.holder().lease().dividedBy(3);
        config.setConnectionTimeout(Math.max(250, Math.min(like.getConnectionTimeout(), patience.toMillis())));
        config.setValidationTimeout(Math.max(250, Math.min(like.getValidationTimeout(), patience.toMillis() / 2)));
        if (like.getExceptionOverride() == null && like.getExceptionOverrideClassName() == null) {
            config.setExceptionOverride(new BrokenConnections());
        }
        PatientPools.makePatient(config);
        return config;
    }

    /** Turno's data source, marked or the only one; for those who store beside Turno or join its transactions. */
    public DataSource application() {
        return application;
    }

    /** Whether a connection of it commits each statement unless a transaction was begun: then one that does not is in one. */
    boolean commitsByItself() {
        try (Connection connection = application.getConnection()) {
            return connection.getAutoCommit();
        } catch (SQLException e) {
            throw new StartException(
                    "The data source gives no connection: " + e.getMessage(),
                    "Check spring.datasource.url, the account, and that the server runs.",
                    e);
        }
    }

    /** The same, with connections that commit each statement outside of a transaction also if the pool's do not. */
    public DataSource committing() {
        return commitsByItself() ? application : new Committing(application);
    }

    /** The pool takes its own setting back when the connection is returned. */
    private static final class Committing extends DelegatingDataSource {

        Committing(DataSource pool) {
            super(pool);
        }

        @Override
        public Connection getConnection() throws SQLException {
            Connection connection = super.getConnection();
            connection.setAutoCommit(true);
            return connection;
        }
    }

    DataSource forTurno() {
        return own == null ? application : own;
    }

    @Override
    public void close() {
        if (own != null) {
            own.close();
        }
    }
}
