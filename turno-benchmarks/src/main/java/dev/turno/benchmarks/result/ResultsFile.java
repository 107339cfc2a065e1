package dev.turno.benchmarks.result;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Map;
import java.util.stream.Collectors;

/** The results of a run, as lines of JSON: first what was run where, then the lines of one workload after the other. */
public record ResultsFile(Path path) {

    /** Begins it anew. */
    public void begin(Map<String, String> run) throws IOException {
        Path folder = path.toAbsolutePath().getParent();
        if (folder != null) {
            Files.createDirectories(folder);
        }
        String all = run.entrySet().stream()
                .map(one -> JsonLines.quoted(one.getKey()) + ":" + JsonLines.quoted(one.getValue()))
                .collect(Collectors.joining(",", "{\"run\":{", "}}\n"));
        Files.writeString(path, all);
    }

    public void add(Report report) throws IOException {
        Files.writeString(path, JsonLines.of(report), StandardOpenOption.CREATE, StandardOpenOption.APPEND);
    }
}
