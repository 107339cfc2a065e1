package dev.turno.proof;

import dev.turno.claim.Result;
import dev.turno.claim.Turn;
import dev.turno.inbox.InboxHandler;
import dev.turno.inbox.Message;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;

/** Calls the {@link WebService}: an effect outside of the database. */
final class CallHandler implements InboxHandler {

    static final String FAILED = "call failed for ";

    // By POST, which the client never repeats by itself.
    private final HttpClient client =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
    private final URI service;
    private final String node;

    CallHandler(int port, String node) {
        this.service = URI.create("http://127.0.0.1:" + port + "/");
        this.node = node;
    }

    @Override
    public Result handle(Message message, Turn turn) throws IOException, InterruptedException {
        String body = new WebService.Call(message.id(), node, turn.fence()).body();
        HttpRequest request = HttpRequest.newBuilder(service)
                .POST(HttpRequest.BodyPublishers.ofString(body))
                .build();
        try {
            int status =
                    client.send(request, HttpResponse.BodyHandlers.discarding()).statusCode();
            return status == 204 ? Result.done() : Result.retry("The service answered " + status + ".");
        } catch (IOException e) {
            System.out.println(FAILED + message.id() + ": " + e); // the call may have come in all the same
            throw e;
        }
    }
}
