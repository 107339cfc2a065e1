package dev.turno.testkit.database;

import dev.turno.testkit.process.ChildProcess;
import dev.turno.testkit.process.RunDirectory;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * A database server that can be killed and started again, on the same port and the same files. Threads may share it.
 *
 * <p>Killing it proves what a crash of the server does, not what power loss does: what it wrote is still in the kernel's memory.
 */
public final class RestartableServer implements AutoCloseable {

    private static final Duration START = Duration.ofSeconds(60);
    private static final Duration SHUTDOWN = Duration.ofSeconds(30);
    private static final int STARTS = 3;

    /** How much of a server's log is kept for the message of a failure. */
    static final int LOG_LINES = 1_000;

    private final TestDatabase kind;
    private final Engine engine;
    private final Path directory;
    private final int port;
    private final boolean onSmallDisk;
    private ChildProcess process;

    private RestartableServer(TestDatabase kind, Engine engine, Path directory, int port, boolean onSmallDisk) {
        this.kind = kind;
        this.engine = engine;
        this.directory = directory;
        this.port = port;
        this.onSmallDisk = onSmallDisk;
        this.process = launch();
    }

    static RestartableServer start(TestDatabase kind, Engine engine) {
        return startOn(Ports.free(), kind, engine);
    }

    static RestartableServer startOn(int port, TestDatabase kind, Engine engine) {
        Path directory = newDirectory(kind);
        engine.prepare(directory);
        return new RestartableServer(kind, engine, directory, port, false);
    }

    static RestartableServer startOnSmallDisk(TestDatabase kind, Engine engine, int megabytes) {
        Path directory = newDirectory(kind);
        Tool.run(
                "mount",
                "-t",
                "tmpfs",
                "-o",
                "mode=755,size=" + megabytes + "m",
                "turno-testkit",
                directory.toString());
        engine.prepare(directory);
        return new RestartableServer(kind, engine, directory, Ports.free(), true);
    }

    private static Path newDirectory(TestDatabase kind) {
        return RunDirectory.ofThisJvm().newDirectory(kind.name().toLowerCase(Locale.ROOT));
    }

    public int port() {
        return port;
    }

    Path directory() {
        return directory;
    }

    /** An empty database on this server, to be closed before the server is. */
    public FreshDatabase fresh() {
        try {
            String name = engine.create(port);
            return new FreshDatabase(kind, name, via -> engine.url(via, name), port, engine.login(), () -> drop(name));
        } catch (SQLException failure) {
            throw failure("made no database", failure);
        }
    }

    /** Where the files of a database are: for who has them inside when this server is shut down, see {@link H2Inside}. */
    public Path fileOf(FreshDatabase database) {
        return directory.resolve(database.name());
    }

    public synchronized boolean isRunning() {
        return process.isAlive();
    }

    /** SIGKILL to the server and all its processes: no flushing, no good-bye to the clients. */
    public synchronized void kill9() {
        process.kill9();
    }

    /** An orderly stop, as for maintenance: clients are told and disconnected. */
    public synchronized void shutDown() {
        process.signal(engine.orderly());
        int unused = process.awaitExit(SHUTDOWN);
    }

    /** Starts it again after {@link #kill9()} or {@link #shutDown()}, and returns when it takes connections. */
    public synchronized void restart() {
        if (process.isAlive()) {
            throw new IllegalStateException(process + " is still running: call kill9() or shutDown() before restart()");
        }
        process = launch();
    }

    /** No byte more can be written, until {@link #freeDisk}. What the server makes of it is its own affair. */
    public void fillDisk() {
        requireSmallDisk();
        byte[] zeros = new byte[4096];
        try (OutputStream out = Files.newOutputStream(ballast())) {
            while (true) {
                out.write(zeros);
            }
        } catch (IOException full) {
            // All we wanted.
        }
    }

    public void freeDisk() {
        requireSmallDisk();
        try {
            Files.deleteIfExists(ballast());
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    private Path ballast() {
        return directory.resolve("ballast");
    }

    private void requireSmallDisk() {
        if (!onSmallDisk) {
            throw new IllegalStateException(
                    "This server shares its disk with everybody. Take one of TestDatabase.newServer(megabytes).");
        }
    }

    /** Ends it and removes its files. */
    @Override
    public synchronized void close() {
        process.close();
        engine.removeTraces(directory);
        if (onSmallDisk) {
            Tool.run("umount", directory.toString());
        }
        RunDirectory.ofThisJvm().remove(directory);
    }

    /** Tries again, because for a moment a killed PostgreSQL may have a process left that holds on to its shared memory. */
    private ChildProcess launch() {
        AssertionError last = new AssertionError("not tried");
        for (int tries = 0; tries < STARTS; tries++) {
            ChildProcess started = engine.launch(directory, port).start();
            try {
                started.awaitLine(engine::isReady, START);
                return started;
            } catch (AssertionError failure) {
                started.close();
                last = failure;
                LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(300));
            }
        }
        throw last;
    }

    /** When the server is down there is nothing to drop: its files go with it. */
    private void drop(String database) {
        if (isRunning()) {
            try {
                engine.drop(directory, port, database);
            } catch (SQLException failure) {
                throw failure("did not drop " + database, failure);
            }
        }
    }

    private synchronized IllegalStateException failure(String whatHappened, SQLException cause) {
        return new IllegalStateException(process.failure(whatHappened).getMessage(), cause);
    }
}
