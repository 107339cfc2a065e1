package dev.turno.harvester.index;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import org.apache.solr.client.solrj.request.JavaBinUpdateRequestCodec;
import org.apache.solr.client.solrj.request.UpdateRequest;
import org.apache.solr.common.SolrException;
import org.apache.solr.common.SolrInputDocument;

/**
 * Sends documents to Solr, some requests at a time, because Solr works off each with one thread. SolrJ's own client would pass each
 * kilobyte of a request from one thread to another, in a pool in which such pairs can wait for each other. Shared by threads.
 */
final class SolrUpdates {

    private static final int DOCUMENTS = 500;
    private static final int AT_ONCE = 4;
    private static final int LONGEST_ANSWER = 1_000;
    private static final Duration LONGEST = Duration.ofMinutes(2);

    private final URI address;
    private final HttpClient client = HttpClient.newBuilder()
            .version(HttpClient.Version.HTTP_1_1)
            .connectTimeout(Duration.ofSeconds(10))
            .build();

    SolrUpdates(String url, String core) {
        this.address = URI.create(url.replaceAll("/+$", "") + "/" + core + "/update?wt=json");
    }

    /** All of them are in Solr's log when this returns; if it throws, some may be. */
    void add(List<SolrInputDocument> documents) throws IOException {
        Deque<CompletableFuture<HttpResponse<String>>> sent = new ArrayDeque<>();
        try {
            for (int from = 0; from < documents.size(); from += DOCUMENTS) {
                if (sent.size() == AT_ONCE) {
                    await(sent.remove());
                }
                HttpRequest request = request(documents.subList(from, Math.min(documents.size(), from + DOCUMENTS)));
                sent.add(client.sendAsync(request, HttpResponse.BodyHandlers.ofString()));
            }
            while (!sent.isEmpty()) {
                await(sent.remove());
            }
        } finally {
            sent.forEach(one -> one.cancel(true));
        }
    }

    private HttpRequest request(List<SolrInputDocument> some) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream(1 << 20);
        new JavaBinUpdateRequestCodec().marshal(new UpdateRequest().add(some), bytes);
        return HttpRequest.newBuilder(address)
                .header("Content-Type", "application/javabin")
                .timeout(LONGEST)
                .POST(HttpRequest.BodyPublishers.ofByteArray(bytes.toByteArray()))
                .build();
    }

    private static void await(CompletableFuture<HttpResponse<String>> coming) throws IOException {
        try {
            HttpResponse<String> answer = coming.get();
            if (answer.statusCode() != 200) {
                String said = answer.body().strip();
                throw new SolrException(
                        SolrException.ErrorCode.getErrorCode(answer.statusCode()),
                        "Status " + answer.statusCode() + ": "
                                + said.substring(0, Math.min(LONGEST_ANSWER, said.length())));
            }
        } catch (ExecutionException e) {
            throw e.getCause() instanceof IOException io ? io : new IOException(e.getCause());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new InterruptedIOException("Interrupted while it waited for Solr.");
        }
    }
}
