package dev.turno.harvester.oai;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpServer;
import dev.turno.harvester.record.OaiRecord;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.Objects;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Pages with the troubles of real ones, about nobody. They lie beside this class. */
class PagesTest {

    private final OaiClient client = new OaiClient(OaiOptions.defaults().hasty(Duration.ofMinutes(1)));
    private final OaiClientTest.Collected collected = new OaiClientTest.Collected();
    private final HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);

    PagesTest() throws IOException {}

    @BeforeEach
    void serve() {
        server.createContext("/", exchange -> {
            String file = "pages" + exchange.getRequestURI().getPath();
            try (InputStream page = Objects.requireNonNull(PagesTest.class.getResourceAsStream(file), file)) {
                byte[] bytes = page.readAllBytes();
                exchange.sendResponseHeaders(200, bytes.length);
                exchange.getResponseBody().write(bytes);
            }
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

    @Test
    void records_with_cdata_letters_of_all_kinds_a_deletion_and_a_token_with_attributes() throws OaiException {
        OaiPage page = ask("records.xml");

        assertThat(collected.quarantined).isEmpty();
        assertThat(collected.records)
                .extracting(OaiRecord::identifier)
                .containsExactly("oai:invented.example:1", "oai:invented.example:2", "oai:invented.example:3");
        assertThat(collected.records).extracting(OaiRecord::deleted).containsExactly(false, true, false);
        assertThat(collected.records.get(0).xml()).contains("Of &lt;things&gt; &amp; of others, told twice");
        assertThat(collected.records.get(2).xml())
                .contains("Água, ñandú, 水")
                .contains("One &lt;p&gt; that was escaped, é as a number");
        assertThat(page.token()).contains("next|3&set=a/b+c");
    }

    @Test
    void bad_entities_are_repaired_and_the_token_is_found() throws OaiException {
        OaiPage page = ask("bad-entities.xml");

        assertThat(collected.quarantined).isEmpty();
        assertThat(collected.records).hasSize(2);
        assertThat(collected.records.get(0).xml())
                .contains("Bread &amp; butter")
                .contains("R&amp;D;");
        assertThat(collected.records.get(1).xml()).contains("A sound neighbour");
        assertThat(page.token()).contains("next|5");
    }

    @Test
    void a_last_page_of_identifiers_has_a_token_without_text() throws OaiException {
        OaiPage page = ask("last-identifiers.xml");

        assertThat(collected.records).extracting(OaiRecord::deleted).containsExactly(false, true);
        assertThat(page.token()).isEmpty();
    }

    @Test
    void errors_are_told_by_their_codes() throws OaiException {
        assertThat(ask("bad-token.xml").hasError("badResumptionToken")).isTrue();
        assertThat(ask("bad-token.xml").hasError("noRecordsMatch")).isFalse();
        assertThat(ask("no-records.xml").hasError("noRecordsMatch")).isTrue();
    }

    @Test
    void a_page_that_is_not_oai_is_an_error() {
        assertThatThrownBy(() -> ask("not-oai.xml")).hasMessageContaining("not OAI-PMH");
    }

    @Test
    void identify() throws OaiException {
        Identity identity = client.identify(url("identify.xml"), () -> false);

        assertThat(identity.repositoryName()).isEqualTo("Invented & Sons");
        assertThat(identity.granularity()).isEqualTo(Granularity.DAY);
        assertThat(identity.keepsDeletions()).isTrue();
    }
}
