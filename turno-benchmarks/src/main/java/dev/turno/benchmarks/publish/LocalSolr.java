package dev.turno.benchmarks.publish;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Optional;

/** The Solr of the harvester's tests, on loopback, in a process of its own: its libraries do not go together with those here. */
final class LocalSolr implements AutoCloseable {

    static final String CORE = "frontend";

    private final Process process;
    private final String url;

    private LocalSolr(Process process, String url) {
        this.process = process;
        this.url = url;
    }

    /** Empty if this JVM was not told where Solr's libraries are; {@code ./turno bench} tells it. */
    static Optional<LocalSolr> start(Path home) throws IOException {
        String libraries = System.getProperty("turno.solr.classpath", "");
        if (libraries.isEmpty()) {
            return Optional.empty();
        }
        Process process = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-cp",
                        libraries,
                        "dev.turno.harvester.index.SolrServer",
                        home.toString())
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start();
        return Optional.of(new LocalSolr(process, urlOf(process)));
    }

    private static String urlOf(Process process) throws IOException {
        BufferedReader said = process.inputReader(StandardCharsets.UTF_8);
        for (String line = said.readLine(); line != null; line = said.readLine()) {
            if (line.startsWith("http://")) {
                return line;
            }
        }
        throw new IOException("Solr ended before it was ready.");
    }

    String url() {
        return url;
    }

    @Override
    public void close() {
        process.destroy();
    }
}
