package dev.turno.harvester.store;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.Objects;

/** Files that are whole or not there, also after a power cut. */
final class Durable {

    /** Writes a file. */
    @FunctionalInterface
    interface Writing {
        void to(Path file) throws IOException;
    }

    private Durable() {}

    /** Written under another name, forced to disk, then renamed; leaves nothing if that fails, as on a full disk. */
    static void write(Path file, Writing writing) throws IOException {
        Path unfinished = file.resolveSibling(file.getFileName() + ".tmp");
        Files.deleteIfExists(unfinished);
        try {
            writing.to(unfinished);
            publish(unfinished, file);
        } finally {
            Files.deleteIfExists(unfinished);
        }
    }

    /** Forces a finished file to disk and gives it its name. */
    static void publish(Path unfinished, Path file) throws IOException {
        try (FileChannel channel = FileChannel.open(unfinished, StandardOpenOption.WRITE)) {
            channel.force(true);
        }
        Files.move(unfinished, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        forceFolder(folderOf(file));
    }

    static Path folderOf(Path file) {
        return Objects.requireNonNull(file.toAbsolutePath().getParent());
    }

    /** So that the names of new files are on disk as well. */
    static void forceFolder(Path folder) throws IOException {
        try (FileChannel channel = FileChannel.open(folder, StandardOpenOption.READ)) {
            channel.force(true);
        }
    }
}
