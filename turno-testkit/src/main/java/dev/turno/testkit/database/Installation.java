package dev.turno.testkit.database;

import dev.turno.testkit.process.RunDirectory;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;

/**
 * The programs of a server and an empty data directory, made once for each machine and version, and copied for each server: that
 * is seconds against tenths of a second.
 */
record Installation(Path home) {

    interface Preparation {
        /** Fills the empty home of a new installation. It will be moved, so nothing in it may know where it is. */
        void fill(Installation installation) throws IOException;
    }

    /** The installation of that name, made now if it is missing. One thread at a time; the lock file is for other JVMs. */
    static synchronized Installation of(String name, Preparation preparation) {
        RunDirectory run = RunDirectory.ofThisJvm();
        Path home = run.cache().resolve(name);
        if (!Files.exists(home)) {
            try {
                makeOnce(run, home, preparation);
            } catch (IOException failure) {
                throw new UncheckedIOException("Cannot install " + home + ": " + failure.getMessage(), failure);
            }
        }
        return new Installation(home);
    }

    /** In the run's own directory first: a half-made one must never be taken for done, and is swept away if we die. */
    private static void makeOnce(RunDirectory run, Path home, Preparation preparation) throws IOException {
        try (FileChannel turn =
                FileChannel.open(Path.of(home + ".lock"), StandardOpenOption.CREATE, StandardOpenOption.WRITE)) {
            FileLock unused = turn.lock();
            if (!Files.exists(home)) {
                Path half = run.newDirectory("installing");
                preparation.fill(new Installation(half));
                Files.move(half, home, StandardCopyOption.ATOMIC_MOVE);
            }
        }
    }

    Path program(String name) {
        return home.resolve("bin").resolve(name);
    }

    Path emptyData() {
        return home.resolve("empty-data");
    }

    /** With its owners and modes, about which servers are particular. */
    void copyEmptyData(Path target) {
        Tool.run("cp", "-Rp", emptyData().toString(), target.toString());
    }
}
