package dev.turno.testkit.process;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Comparator;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;

/**
 * The files and processes of this JVM's tests, which end with it.
 *
 * <p>Shutdown hooks alone would leave servers running whenever a test JVM is killed. So a small shell script, the {@link Sweep},
 * holds the other end of a pipe: when the JVM is gone, however it went, the script ends what is left and removes the directory.
 * Should the script be killed as well, the next JVM that starts here sweeps in its place: it can tell by the lock that the dead
 * one no longer holds.
 *
 * <p>Everything lies in {@code turno-testkit-USER} in the temporary directory, or in {@code -Dturno.test.directory}: one
 * directory for each JVM, and beside them what outlives a run, such as unpacked database servers. Threads may share this.
 */
public final class RunDirectory {

    private static final String PREFIX = "run-";
    private static final long SWEEP_SECONDS = 10;

    private final Path path;
    private final Path processes;
    private final AtomicInteger made = new AtomicInteger();

    /** Never let go: the dead are told from the living by it. */
    @SuppressWarnings({"UnusedVariable", "FieldCanBeLocal"})
    private final FileLock alive;

    private static final class ThisJvm {
        static final RunDirectory INSTANCE = open();
    }

    private RunDirectory(Path path) throws IOException {
        this.path = Files.createDirectory(path);
        this.processes = Files.createDirectory(path.resolve(Sweep.PROCESSES));
        this.alive = open(path.resolve("lock")).lock();
        Process sweep = Sweep.start(path);
        Runtime.getRuntime().addShutdownHook(new Thread(() -> finish(sweep), "turno-testkit-sweep"));
    }

    /** The one directory of this JVM, made at the first call. */
    public static RunDirectory ofThisJvm() {
        return ThisJvm.INSTANCE;
    }

    /** A new, empty directory, removed at the end of this JVM. */
    public Path newDirectory(String name) {
        try {
            return Files.createDirectory(path.resolve(name + "-" + made.incrementAndGet()));
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    /** Removes a directory that is no longer needed, with all that is in it. */
    public void remove(Path directory) {
        try (Stream<Path> paths = Files.walk(directory)) {
            for (Path each : (Iterable<Path>) paths.sorted(Comparator.reverseOrder())::iterator) {
                Files.deleteIfExists(each);
            }
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    /** Where to keep what the next run can use again. Shared with other JVMs of this user, so put things there in one move. */
    public Path cache() {
        return parentOf(path);
    }

    /** Whether this JVM runs as root, under which some servers refuse to start. */
    public boolean isOfRoot() {
        try {
            return Integer.valueOf(0).equals(Files.getAttribute(path, "unix:uid"));
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    @Override
    public String toString() {
        return path.toString();
    }

    /**
     * From now on the process ends with this JVM at the latest.
     *
     * @param signal what ends it best, such as {@code KILL}; two seconds later it is KILL anyway
     */
    void watch(Process process, String signal) {
        Path note = processes.resolve(Long.toString(process.pid()));
        try {
            Files.writeString(note, signal);
        } catch (IOException failure) {
            process.destroyForcibly();
            throw new UncheckedIOException(failure);
        }
        // The number may go to a stranger once the process is gone.
        var unused = process.onExit().thenRun(() -> note.toFile().delete());
    }

    private static RunDirectory open() {
        try {
            Path root = root();
            // One JVM at a time, so that nobody sweeps a directory that was made but is not locked yet.
            try (FileChannel turn = open(root.resolve("lock"))) {
                FileLock unused = turn.lock();
                sweepTheDead(root);
                return new RunDirectory(root.resolve(PREFIX + UUID.randomUUID()));
            }
        } catch (IOException failure) {
            throw new UncheckedIOException(
                    "The testkit cannot work in " + rootName() + ": " + failure.getMessage()
                            + ". Free it, or choose another directory with -Dturno.test.directory.",
                    failure);
        }
    }

    private static Path rootName() {
        String user = System.getProperty("user.name", "nobody").replaceAll("[^A-Za-z0-9_-]", "_");
        Path usual = Path.of(System.getProperty("java.io.tmpdir"), "turno-testkit-" + user);
        return Path.of(System.getProperty("turno.test.directory", usual.toString()))
                .toAbsolutePath();
    }

    /** The programs in it will be run, so it must not be a trap that another user has laid in a shared {@code /tmp}. */
    private static Path root() throws IOException {
        Path root = Files.createDirectories(rootName());
        Path mine = Files.createTempFile(root, "mine", null);
        try {
            if (!Files.getOwner(mine).equals(Files.getOwner(root))) {
                throw new IOException("it belongs to " + Files.getOwner(root));
            }
            return root.toRealPath();
        } finally {
            Files.delete(mine);
        }
    }

    private static void sweepTheDead(Path root) throws IOException {
        try (Stream<Path> paths = Files.list(root)) {
            for (Path run : (Iterable<Path>) paths.filter(RunDirectory::isDead)::iterator) {
                finish(Sweep.start(run));
            }
        }
    }

    private static boolean isDead(Path run) {
        if (!String.valueOf(run.getFileName()).startsWith(PREFIX)) {
            return false;
        }
        try (var channel = FileChannel.open(run.resolve("lock"), StandardOpenOption.WRITE)) {
            return channel.tryLock() != null;
        } catch (OverlappingFileLockException mine) {
            return false;
        } catch (IOException halfSwept) {
            return true;
        }
    }

    /** Closing the pipe looks to the script as if this JVM had died. */
    private static void finish(Process sweep) {
        try {
            sweep.getOutputStream().close();
            if (!sweep.waitFor(SWEEP_SECONDS, TimeUnit.SECONDS)) {
                System.err.println("turno-testkit: still sweeping up after " + SWEEP_SECONDS + " s, going on without");
            }
        } catch (IOException alreadyGone) {
            // Somebody killed the script; the next run sweeps.
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
        }
    }

    private static FileChannel open(Path file) throws IOException {
        return FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
    }

    private static Path parentOf(Path path) {
        Path parent = path.getParent();
        if (parent == null) {
            throw new IllegalStateException(path + " has no parent");
        }
        return parent;
    }
}
