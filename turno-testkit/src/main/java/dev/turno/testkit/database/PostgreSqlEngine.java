package dev.turno.testkit.database;

import dev.turno.testkit.process.Launch;
import dev.turno.testkit.process.RunDirectory;
import io.zonky.test.db.postgres.embedded.DefaultPostgresBinaryResolver;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.zip.CRC32;

/**
 * PostgreSQL from the binaries of io.zonky, run by ourselves so that its process can be killed and started again.
 *
 * <p>A dropped database is emptied, renamed and used again. Creating one copies 7 MB and takes about 80 ms and dropping one forces
 * a checkpoint, 70 ms more; emptying takes 20. A schema in a shared database would be quicker still, but advisory locks and
 * notifications are not of a schema: tests would hear each other.
 */
final class PostgreSqlEngine implements Engine {

    static final Login ADMIN = new Login("postgres", "");
    static final Login LOGIN = new Login("turno", "");

    /** PostgreSQL refuses to run as root; this user has no files and no rights, and every system has it. */
    private static final String[] AS_NOBODY = {"setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"};

    private static final boolean ON_MAC = System.getProperty("os.name").startsWith("Mac");

    private final Installation installation = installed();
    private final Consumer<Path> filling;
    private final AtomicInteger names = new AtomicInteger();
    private final ConcurrentLinkedQueue<String> empty = new ConcurrentLinkedQueue<>();

    PostgreSqlEngine() {
        this.filling = installation::copyEmptyData;
    }

    /** @param filling makes the data directory, which is not there yet */
    PostgreSqlEngine(Consumer<Path> filling) {
        this.filling = filling;
    }

    @Override
    public void prepare(Path directory) {
        filling.accept(data(directory));
    }

    @Override
    public Launch launch(Path directory, int port) {
        return unprivileged(installation.program("postgres").toString())
                .arguments("-D", data(directory).toString(), "-p", Integer.toString(port))
                .arguments("-c", "listen_addresses=127.0.0.1", "-c", "unix_socket_directories=")
                .arguments("-c", "fsync=on", "-c", "synchronous_commit=on")
                .arguments("-c", "max_connections=200", "-c", "shared_buffers=256MB", "-c", "max_wal_size=2GB")
                // In files of the data directory, which we remove: in /dev/shm they outlive a kill -9.
                .arguments("-c", "dynamic_shared_memory_type=mmap")
                // After a crash it flushes thousands of files first; all at once is two or three times quicker, on
                // Linux.
                .arguments("-c", "recovery_init_sync_method=" + (ON_MAC ? "fsync" : "syncfs"))
                .errorsInOutput()
                .keepLines(RestartableServer.LOG_LINES)
                // Immediate shutdown. A KILL would leave the interlock behind: see removeTraces.
                .endedBy("QUIT");
    }

    @Override
    public boolean isReady(String line) {
        // A standby says "read-only connections".
        return line.contains("database system is ready to accept ");
    }

    @Override
    public String orderly() {
        return "INT";
    }

    @Override
    public Login login() {
        return LOGIN;
    }

    @Override
    public String url(int port, String database) {
        return address(port, database);
    }

    static String address(int port, String database) {
        return url("127.0.0.1:" + port, database);
    }

    /** Whichever of the two is the primary. */
    static String address(int port, int otherPort, String database) {
        return url("127.0.0.1:" + port + ",127.0.0.1:" + otherPort, database)
                + "&targetServerType=primary&hostRecheckSeconds=1";
    }

    private static String url(String hosts, String database) {
        return "jdbc:postgresql://" + hosts + "/" + database
                + "?tcpKeepAlive=true&sslmode=disable&connectTimeout=" + Timeouts.CONNECT.toSeconds()
                + "&socketTimeout="
                + Timeouts.ANSWER.toSeconds();
    }

    @Override
    public String create(int port) throws SQLException {
        String emptied = empty.poll();
        if (emptied != null) {
            return emptied;
        }
        String name = nextName();
        ADMIN.execute(url(port, "postgres"), "create database " + name + " owner " + LOGIN.user());
        return name;
    }

    /** Under a new name, because a process that was left over may still be trying to reach the old one. */
    @Override
    public void drop(Path directory, int port, String database) throws SQLException {
        String next = nextName();
        ADMIN.execute(
                url(port, "postgres"),
                "alter database " + database + " allow_connections false",
                endSessions(database),
                "alter database " + database + " rename to " + next,
                "alter database " + next + " reset all",
                "alter database " + next + " allow_connections true");
        ADMIN.execute(
                url(port, next),
                "drop owned by " + LOGIN.user() + " cascade",
                "create schema if not exists public authorization pg_database_owner");
        empty.add(next);
    }

    /** Looks every two milliseconds: the server's own waiting for the end of a session looks every hundred. */
    private static String endSessions(String database) {
        return """
                do $$ begin
                    perform pg_terminate_backend(pid) from pg_stat_activity where datname = '%1$s';
                    for tries in 1..1000 loop
                        perform pg_stat_clear_snapshot();
                        exit when not exists (select 1 from pg_stat_activity where datname = '%1$s');
                        perform pg_sleep(0.002);
                    end loop;
                end $$""".formatted(database);
    }

    /** A killed server leaves 56 bytes of System V memory, its interlock, and a machine has room for 4096 of those. */
    @Override
    public void removeTraces(Path directory) {
        Path note = data(directory).resolve("postmaster.pid");
        try {
            if (Files.exists(note)) {
                // Its seventh line is the key and the number of the interlock.
                String id = Files.readAllLines(note).stream()
                        .skip(6)
                        .findFirst()
                        .orElse("0 0")
                        .replaceAll(".* ", "");
                Tool.run("sh", "-c", "ipcrm -m \"$1\" || true", "sh", id);
            }
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    private String nextName() {
        return "t_" + names.incrementAndGet();
    }

    static Path data(Path directory) {
        return directory.resolve("data");
    }

    static Launch unprivileged(String program) {
        Launch launch = Launch.command(program);
        return RunDirectory.ofThisJvm().isOfRoot() ? launch.through(AS_NOBODY) : launch;
    }

    private static Installation installed() {
        byte[] archive = archive();
        var checksum = new CRC32();
        checksum.update(archive);
        return Installation.of("postgresql-%08x".formatted(checksum.getValue()), home -> install(home, archive));
    }

    private static byte[] archive() {
        String machine = System.getProperty("os.arch").equals("aarch64") ? "arm_64" : "x86_64";
        try (InputStream archive =
                DefaultPostgresBinaryResolver.INSTANCE.getPgBinary(ON_MAC ? "Darwin" : "Linux", machine)) {
            return archive.readAllBytes();
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    private static void install(Installation installation, byte[] archive) throws IOException {
        Archive.unpack(new ByteArrayInputStream(archive), installation.home());
        Path data = Files.createDirectory(installation.emptyData());
        if (RunDirectory.ofThisJvm().isOfRoot()) {
            Files.setAttribute(data, "unix:uid", 65534);
        }
        Tool.run(unprivileged(installation.program("initdb").toString())
                .arguments("-D", data.toString(), "--username=postgres", "--auth=trust")
                .arguments("--encoding=UTF8", "--no-locale", "--no-sync"));
        createRole(installation);
    }

    /** Applications are no superusers, so the tests are none. */
    private static void createRole(Installation installation) {
        String single = installation.program("postgres") + " --single -D " + installation.emptyData() + " postgres";
        Tool.run(unprivileged("sh").arguments("-c", "echo 'create role " + LOGIN.user() + " login' | " + single));
    }
}
