package dev.turno.benchmarks;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/** What was measured, where and when: figures without it cannot be compared. */
final class Machine {

    /** Set by {@code ./turno bench}. */
    private static final String COMMIT = "turno.commit";

    /** Below this nobody else is at work. */
    static final double QUIET = 0.7;

    private Machine() {}

    static Map<String, String> describe(Choices choices) {
        Map<String, String> all = new LinkedHashMap<>();
        all.put("at", Instant.now().truncatedTo(ChronoUnit.SECONDS).toString());
        all.put("scale", choices.scale().name().toLowerCase(Locale.ROOT));
        all.put("database", choices.database().name().toLowerCase(Locale.ROOT));
        all.put("commit", System.getProperty(COMMIT, "unknown"));
        all.put("jdk", System.getProperty("java.vm.name") + " " + System.getProperty("java.runtime.version"));
        all.put("os", System.getProperty("os.name") + " " + System.getProperty("os.version"));
        all.put("cpu", cpu());
        all.put("cores", Integer.toString(Runtime.getRuntime().availableProcessors()));
        all.put("memory", gigabytes());
        all.put("load before", String.format(Locale.ROOT, "%.2f", load()));
        return all;
    }

    static double load() {
        return ManagementFactory.getOperatingSystemMXBean().getSystemLoadAverage();
    }

    private static String cpu() {
        return firstLine(Path.of("/proc/cpuinfo"), "model name").orElse(System.getProperty("os.arch"));
    }

    private static String gigabytes() {
        return firstLine(Path.of("/proc/meminfo"), "MemTotal")
                .map(kilobytes -> Long.parseLong(kilobytes.replaceAll("\\D", "")) / (1 << 20) + " GB")
                .orElse("unknown");
    }

    private static Optional<String> firstLine(Path file, String beginning) {
        try (Stream<String> lines = Files.lines(file)) {
            return lines.filter(line -> line.startsWith(beginning))
                    .map(line -> line.substring(line.indexOf(':') + 1).strip())
                    .findFirst();
        } catch (IOException notThisSystem) {
            return Optional.empty();
        }
    }
}
