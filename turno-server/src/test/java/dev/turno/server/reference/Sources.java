package dev.turno.server.reference;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/** The sources of what the server is made of. */
final class Sources {

    static final Path ROOT = Path.of("..");

    private static final List<String> MODULES =
            List.of("turno-spring-boot-starter", "turno-web", "turno-certification", "turno-harvester", "turno-server");

    private Sources() {}

    static String of(Class<?> type) {
        String file = type.getName().replaceFirst("\\$.*", "").replace('.', '/') + ".java";
        return folders()
                .map(folder -> folder.resolve(file))
                .filter(Files::exists)
                .map(Sources::read)
                .findFirst()
                .orElseThrow();
    }

    static Stream<String> all() {
        return folders().flatMap(Sources::files).map(Sources::read);
    }

    private static Stream<Path> folders() {
        return MODULES.stream().map(module -> ROOT.resolve(module).resolve("src/main/java"));
    }

    /** The scripts of the dashboard and of its parts. */
    static Stream<Path> scripts() {
        return MODULES.stream()
                .map(module -> ROOT.resolve(module).resolve("src/main/resources"))
                .filter(Files::isDirectory)
                .flatMap(folder -> files(folder, ".js"));
    }

    static Stream<Path> files(Path folder) {
        return files(folder, ".java");
    }

    private static Stream<Path> files(Path folder, String end) {
        try (Stream<Path> files = Files.walk(folder)) {
            return files.filter(file -> file.toString().endsWith(end)).toList().stream();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    static String read(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
