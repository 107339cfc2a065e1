package dev.turno.testkit.database;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import org.apache.commons.compress.archivers.tar.TarArchiveEntry;
import org.apache.commons.compress.archivers.tar.TarArchiveInputStream;
import org.apache.commons.compress.compressors.xz.XZCompressorInputStream;

/** Unpacks a .tar.xz, which neither the JDK nor every machine can. */
final class Archive {

    private static final int EXECUTABLE = 0100;

    private Archive() {}

    static void unpack(InputStream archive, Path target) throws IOException {
        try (var entries = new TarArchiveInputStream(new XZCompressorInputStream(archive))) {
            for (TarArchiveEntry entry = entries.getNextEntry(); entry != null; entry = entries.getNextEntry()) {
                unpack(entry, entries, inside(target, entry.getName()));
            }
        }
    }

    private static void unpack(TarArchiveEntry entry, InputStream content, Path path) throws IOException {
        if (entry.isDirectory()) {
            Files.createDirectories(path);
        } else if (entry.isSymbolicLink()) {
            Files.createSymbolicLink(path, Path.of(entry.getLinkName()));
        } else {
            Files.createDirectories(path.resolveSibling(""));
            Files.copy(content, path);
            boolean set = (entry.getMode() & EXECUTABLE) == 0 || path.toFile().setExecutable(true, false);
            if (!set) {
                throw new IOException("cannot make " + path + " executable");
            }
        }
    }

    private static Path inside(Path target, String name) throws IOException {
        Path path = target.resolve(name).normalize();
        if (!path.startsWith(target)) {
            throw new IOException("the archive has an entry outside of it: " + name);
        }
        return path;
    }
}
