package dev.turno.testkit.database;

import static dev.turno.testkit.database.PostgreSqlEngine.ADMIN;
import static dev.turno.testkit.database.PostgreSqlEngine.LOGIN;

import dev.turno.testkit.process.RunDirectory;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * A PostgreSQL and its standby, whose confirmation every commit awaits: the primary can be killed and the standby promoted. Not
 * shared by threads.
 */
public final class PostgreSqlPair implements AutoCloseable {

    private static final String AWAIT_STANDBY = "alter system set synchronous_standby_names = '*'";
    private static final String AWAIT_NOBODY = "alter system set synchronous_standby_names = ''";
    private static final String RELOAD = "select pg_reload_conf()";
    private static final long PATIENCE = Duration.ofSeconds(60).toNanos();

    /** What a running server keeps for itself, or what its copy gets anew. */
    private static final String COPY = """
            tar -C "$1" --exclude='./pg_wal/*' --exclude='./pg_replslot/*' --exclude='./pg_dynshmem/*' \
                --exclude='./pg_notify/*' --exclude='./pg_subtrans/*' --exclude='./postmaster.*' \
                --exclude='./postgresql.auto.conf' --exclude='./standby.signal' --exclude='./backup_label*' \
                -cf - . | tar -C "$2" -xpf -
            """;

    private RestartableServer primary;
    private RestartableServer standby;
    private TcpProxy line;
    private int databases;

    private PostgreSqlPair() throws SQLException {
        this.primary = TestDatabase.POSTGRESQL.newServer();
        // Now, because the checkpoint of the copy sees to it that the server has taken notice.
        askPrimary("alter system set wal_keep_size = '256MB'", AWAIT_STANDBY, RELOAD);
        this.line = TcpProxy.to(primary.port());
        this.standby = standbyOn(Ports.free());
        awaitConfirmations();
    }

    public static PostgreSqlPair start() {
        try {
            return new PostgreSqlPair();
        } catch (SQLException failure) {
            throw new IllegalStateException(
                    "PostgreSQL and its standby did not start: " + failure.getMessage(), failure);
        }
    }

    /** An empty database, reached by a URL that names both servers and leads to whichever is the primary. */
    public FreshDatabase fresh() throws SQLException {
        String name = "t_" + ++databases;
        askPrimary("create database " + name + " owner " + LOGIN.user());
        String url = PostgreSqlEngine.address(primary.port(), standby.port(), name);
        return FreshDatabase.withoutPort(TestDatabase.POSTGRESQL, name, url, LOGIN, () -> {});
    }

    /** From now on commits await nobody, and a promotion loses what the standby has not got. */
    public void awaitNobody() throws SQLException {
        askPrimary(AWAIT_NOBODY, RELOAD);
    }

    /** The standby gets nothing any more and confirms nothing, and nobody is told. */
    public void cutOffStandby() {
        line.blackhole();
    }

    /** It goes on where it was cut off. */
    public void reconnectStandby() {
        line.pass();
    }

    /** SIGKILL to the primary and all its processes. */
    public void killPrimary() {
        primary.kill9();
    }

    /** Makes a primary of the standby, which awaits nobody until {@link #renewStandby}; as the managers of such pairs do it. */
    public void promoteStandby() throws SQLException {
        ADMIN.execute(address(standby), "select pg_promote(true, 60)");
        RestartableServer dead = primary;
        primary = standby;
        standby = dead;
    }

    /** Puts a new standby in the place of the killed server; commits await it from now on. */
    public void renewStandby() throws SQLException {
        standby.close();
        line.close();
        line = TcpProxy.to(primary.port());
        standby = standbyOn(standby.port());
        awaitConfirmations();
    }

    @Override
    public void close() {
        line.close();
        standby.close();
        primary.close();
    }

    private RestartableServer standbyOn(int port) {
        var engine = new PostgreSqlEngine(this::copyPrimary);
        return RestartableServer.startOn(port, TestDatabase.POSTGRESQL, engine);
    }

    /** A copy of the files of a running server, and the note by which the copy knows from where to replay. */
    private void copyPrimary(Path data) {
        try (Connection connection = DriverManager.getConnection(address(primary), ADMIN.user(), ADMIN.password());
                Statement statement = connection.createStatement()) {
            own(Files.createDirectory(
                    data, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------"))));
            statement.execute("select pg_backup_start('standby', true)");
            Tool.run(PostgreSqlEngine.unprivileged("sh")
                    .arguments(
                            "-c",
                            COPY,
                            "sh",
                            PostgreSqlEngine.data(primary.directory()).toString(),
                            data.toString()));
            write(data.resolve("backup_label"), label(statement));
            write(data.resolve("standby.signal"), "");
            write(data.resolve("postgresql.auto.conf"), """
                    primary_conninfo = 'host=127.0.0.1 port=%d user=%s sslmode=disable'
                    wal_keep_size = '256MB'
                    """.formatted(line.port(), ADMIN.user()));
        } catch (SQLException | IOException failure) {
            throw new IllegalStateException("Cannot copy the primary: " + failure.getMessage(), failure);
        }
    }

    private static String label(Statement statement) throws SQLException {
        try (ResultSet row = statement.executeQuery("select labelfile from pg_backup_stop(false)")) {
            row.next();
            return row.getString(1);
        }
    }

    private static void write(Path file, String text) throws IOException {
        own(Files.writeString(file, text));
    }

    private static void own(Path path) throws IOException {
        if (RunDirectory.ofThisJvm().isOfRoot()) {
            Files.setAttribute(path, "unix:uid", 65534);
        }
    }

    private void awaitConfirmations() throws SQLException {
        askPrimary(AWAIT_STANDBY, RELOAD);
        try (Connection connection = DriverManager.getConnection(address(primary), ADMIN.user(), ADMIN.password());
                Statement statement = connection.createStatement()) {
            long start = System.nanoTime();
            while (!isConfirming(statement)) {
                if (System.nanoTime() - start > PATIENCE) {
                    throw new IllegalStateException("The standby on port " + standby.port() + " confirms nothing.");
                }
                LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(20));
            }
        }
    }

    private static boolean isConfirming(Statement statement) throws SQLException {
        String question = "select 1 from pg_stat_replication where state = 'streaming' and sync_state = 'sync'";
        try (ResultSet row = statement.executeQuery(question)) {
            return row.next();
        }
    }

    private void askPrimary(String... statements) throws SQLException {
        ADMIN.execute(address(primary), statements);
    }

    private static String address(RestartableServer server) {
        return PostgreSqlEngine.address(server.port(), "postgres");
    }
}
