package dev.turno.harvester.oai;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Pages written by others, where they are at hand: beside the repository, or where turno.oai-fixtures says. They are an extra: {@link
 * PagesTest} has the same troubles in pages of our own.
 */
class FixturePagesTest {

    private final OaiClient client = new OaiClient(OaiOptions.defaults().hasty(Duration.ofMinutes(1)));
    private final OaiClientTest.Collected collected = new OaiClientTest.Collected();
    private final HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);

    FixturePagesTest() throws IOException {}

    private static Path folder() {
        String given = System.getProperty("turno.oai-fixtures", "");
        return given.isEmpty() ? Path.of("..", "..", "shared", "oai-fixtures") : Path.of(given);
    }

    @BeforeEach
    void serve() {
        assumeTrue(
                Files.isDirectory(folder()),
                () -> "No fixtures at " + folder() + "; say where they are with -Dturno.oai-fixtures=FOLDER.");
        server.createContext("/", exchange -> {
            byte[] bytes = Files.readAllBytes(
                    folder().resolve(exchange.getRequestURI().getPath().substring(1)));
            exchange.sendResponseHeaders(200, bytes.length);
            exchange.getResponseBody().write(bytes);
            exchange.close();
        });
        server.start();
    }

    @AfterEach
    void stop() {
        server.stop(0);
    }

    private String url(String file) {
        return "http://" + server.getAddress().getHostString() + ":"
                + server.getAddress().getPort() + "/" + file;
    }

    private OaiPage ask(String file) throws OaiException {
        return client.listRecords(ListRequest.all(url(file), "oai_dc"), collected, () -> false);
    }

    @ParameterizedTest
    @CsvSource({
        "pyoai_fake1_00005.xml, 16, 0, false",
        "pyoai_fake2_00002.xml, 81, 2, false",
        "reservoir_oai-response-1.xml, 4, 1, true",
        "sickle_ListRecords.xml, 2, 1, true",
        "sickle_ListIdentifiers.xml, 2, 1, true",
        "sickle_GetRecord_utf8test.xml, 1, 0, false",
        "xoai_oai_dc-CDATA.xml, 1, 0, false"
    })
    void a_page_of_records(String file, int records, int deleted, boolean token) throws OaiException {
        OaiPage page = ask(file);

        assertThat(collected.records).hasSize(records);
        assertThat(collected.records).filteredOn(record -> record.deleted()).hasSize(deleted);
        assertThat(collected.quarantined).isEmpty();
        assertThat(page.token().isPresent()).isEqualTo(token);
    }

    @ParameterizedTest
    @CsvSource({
        "reservoir_oai-response-2.xml, noRecordsMatch",
        "sickle_noRecordsMatch.xml, noRecordsMatch",
        "sickle_badArgument.xml, badArgument",
        "sickle_badResumptionToken.xml, badResumptionToken",
        "sickle_noSetHierarchy.xml, noSetHierarchy"
    })
    void a_page_with_an_error(String file, String code) throws OaiException {
        assertThat(ask(file).hasError(code)).isTrue();
    }

    @Test
    void a_page_that_is_not_oai() {
        assertThatThrownBy(() -> ask("reservoir_small-bad-entities.xml")).hasMessageContaining("not OAI-PMH");
    }

    @Test
    void identify() throws OaiException {
        Identity identity = client.identify(url("sickle_Identify.xml"), () -> false);

        assertThat(identity.repositoryName()).isEqualTo("A Test Repository");
        assertThat(identity.granularity()).isEqualTo(Granularity.DAY);
        assertThat(identity.keepsDeletions()).isTrue();
    }

    @Test
    void text_in_cdata_is_kept() throws OaiException {
        ask("xoai_oai_dc-CDATA.xml");

        assertThat(collected.records.get(0).xml()).contains("Article Title-additional CDATA");
    }
}
