package dev.turno.server.demo;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import dev.turno.harvester.index.IndexDocument;
import dev.turno.harvester.index.IndexKind;
import dev.turno.harvester.index.IndexTarget;
import dev.turno.harvester.index.SolrTarget;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.apache.solr.client.solrj.request.JavaBinUpdateRequestCodec;
import org.apache.solr.common.SolrInputDocument;
import org.apache.solr.common.util.JavaBinCodec;
import org.apache.solr.common.util.NamedList;
import org.junit.jupiter.api.Test;

/** Here, where nothing is on the class path but what is shipped: the harvester's own tests have all of Solr there. */
final class ShippedSolrClientTest {

    @Test
    void documents_reach_solr_with_the_libraries_that_are_shipped() throws Exception {
        List<SolrInputDocument> arrived = new CopyOnWriteArrayList<>();
        HttpServer solr = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        solr.createContext("/solr/frontend/update", exchange -> {
            byte[] body = exchange.getRequestBody().readAllBytes();
            // Without a body Solr says that all is well.
            if (body.length > 0) {
                new JavaBinUpdateRequestCodec()
                        .unmarshal(
                                new ByteArrayInputStream(body),
                                (document, request, commitWithin, overwrite) -> arrived.add(document));
            }
            NamedList<Object> header = new NamedList<>();
            header.add("status", 0);
            NamedList<Object> answer = new NamedList<>();
            answer.add("responseHeader", header);
            ByteArrayOutputStream bytes = new ByteArrayOutputStream();
            try (JavaBinCodec codec = new JavaBinCodec()) {
                codec.marshal(answer, bytes);
            }
            exchange.getResponseHeaders().set("Content-Type", "application/octet-stream");
            exchange.sendResponseHeaders(200, bytes.size());
            exchange.getResponseBody().write(bytes.toByteArray());
            exchange.close();
        });
        solr.start();
        String url = "http://127.0.0.1:" + solr.getAddress().getPort() + "/solr";
        try (IndexTarget target = SolrTarget.open(IndexKind.FRONTEND, url, "frontend")) {
            target.add(List.of(new IndexDocument("1").add("title", "Growth"), new IndexDocument("2")));
        } finally {
            solr.stop(0);
        }

        assertThat(arrived).hasSize(2);
        assertThat(arrived.get(0).getFieldValue("title")).asString().isEqualTo("Growth");
    }
}
