package dev.turno.harvester.index;

import java.nio.file.Path;
import java.util.Locale;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/** Against a real Solr 9.10.1. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class SolrTargetTest extends IndexTargetContract {

    @TempDir
    private static Path home;

    private SolrServer server;

    @BeforeAll
    void start() throws Exception {
        server = SolrServer.start(home);
    }

    @AfterAll
    void stop() throws Exception {
        server.close();
    }

    @Override
    IndexTarget open(IndexKind kind) {
        return SolrTarget.open(kind, server.url(), kind.name().toLowerCase(Locale.ROOT));
    }
}
