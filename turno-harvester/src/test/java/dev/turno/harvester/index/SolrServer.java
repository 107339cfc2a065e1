package dev.turno.harvester.index;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import org.apache.solr.embedded.JettyConfig;
import org.apache.solr.embedded.JettySolrRunner;

/** A real Solr in this process, with the cores that Turno ships. */
public final class SolrServer implements AutoCloseable {

    private final JettySolrRunner runner;

    private SolrServer(JettySolrRunner runner) {
        this.runner = runner;
    }

    public static SolrServer start(Path home) throws Exception {
        System.setProperty("solr.log.dir", home.toString());
        Files.createDirectories(home);
        Files.writeString(home.resolve("solr.xml"), "<solr><str name=\"allowPaths\">*</str></solr>");
        core(home, "frontend");
        core(home, "xoai");
        JettySolrRunner runner = new JettySolrRunner(
                home.toString(),
                JettyConfig.builder()
                        .setContext("/solr")
                        .setPort(0)
                        .useOnlyHttp1(true)
                        .build());
        runner.start();
        return new SolrServer(runner);
    }

    /** For measurements: runs below a folder until its input ends. */
    public static void main(String[] arguments) throws Exception {
        try (SolrServer server = start(Path.of(arguments[0]))) {
            System.out.println(server.url());
            System.in.transferTo(OutputStream.nullOutputStream());
        }
        System.exit(0); // Solr leaves threads behind
    }

    private static void core(Path home, String name) throws IOException {
        Path conf = Files.createDirectories(home.resolve(name).resolve("conf"));
        Files.writeString(home.resolve(name).resolve("core.properties"), "name=" + name + "\n");
        for (String file : new String[] {"schema.xml", "solrconfig.xml"}) {
            try (InputStream in = IndexTarget.class.getResourceAsStream("solr/" + name + "/conf/" + file)) {
                if (in == null) {
                    throw new IOException("No " + file);
                }
                Files.copy(in, conf.resolve(file));
            }
        }
    }

    public String url() {
        return "http://127.0.0.1:" + runner.getLocalPort() + "/solr";
    }

    @Override
    public void close() throws Exception {
        runner.stop();
    }
}
