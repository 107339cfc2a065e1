package dev.turno.server.webhook;

import dev.turno.buffer.Burst;
import dev.turno.buffer.BurstHandler;
import dev.turno.claim.Result;
import dev.turno.claim.Turn;
import dev.turno.inbox.InboxHandler;
import dev.turno.inbox.Message;
import dev.turno.task.Task;
import dev.turno.task.TaskHandler;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import org.apache.hc.core5.http.ContentType;

/** Posts items to one receiver and reads its answers as results. Shared by threads. */
final class Deliveries {

    private static final Duration LONGEST_RETRY_AFTER = Duration.ofHours(1);
    private static final Duration MARGIN = Duration.ofMillis(500);
    private static final Duration SHORTEST_TIMEOUT = Duration.ofMillis(100);

    private final Webhook webhook;
    private final Sender sender;
    private final Circuit circuit;

    Deliveries(Webhook webhook, Sender sender, Circuit circuit) {
        this.webhook = webhook;
        this.sender = sender;
        this.circuit = circuit;
    }

    InboxHandler ofMessages() {
        return new InboxHandler() {
            @Override
            public Result handle(Message message, Turn turn) {
                return deliver(Optional.of(message.id()), message.body(), turn);
            }

            @Override
            public boolean isReady() {
                return circuit.isReady();
            }
        };
    }

    BurstHandler ofBursts() {
        return new BurstHandler() {
            @Override
            public Result handle(Burst burst, Turn turn) {
                return deliver(Optional.empty(), BurstBody.of(burst), turn);
            }

            @Override
            public boolean isReady() {
                return circuit.isReady();
            }
        };
    }

    TaskHandler ofTasks() {
        return new TaskHandler() {
            @Override
            public Result handle(Task task, Turn turn) {
                return deliver(Optional.of(task.key().orElse(Long.toString(task.id()))), task.body(), turn);
            }

            @Override
            public boolean isReady() {
                return circuit.isReady();
            }
        };
    }

    private Result deliver(Optional<String> ownId, String body, Turn turn) {
        byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
        circuit.begin();
        try {
            Sender.Answer answer =
                    sender.post(webhook.url(), headers(ownId, bytes, turn), bytes, typeOf(body), timeout(turn));
            return judged(answer);
        } catch (Throwable e) { // also an Error: the circuit waits for the end of each attempt
            String why = "No answer from " + webhook.receiver() + ": " + (e.getMessage() == null ? e : e.getMessage());
            circuit.failed(why);
            return Result.retry(why);
        }
    }

    private Map<String, String> headers(Optional<String> ownId, byte[] body, Turn turn) {
        String id = idOf(turn.key());
        long now = Instant.now().getEpochSecond();
        Map<String, String> headers = new LinkedHashMap<>();
        headers.put("webhook-id", id);
        headers.put("webhook-timestamp", Long.toString(now));
        headers.put("webhook-signature", Signature.of(id, now, body, webhook.secrets()));
        headers.put("turno-fence", Long.toString(turn.fence()));
        headers.put("turno-attempt", Integer.toString(turn.attempt()));
        ownId.ifPresent(own -> headers.put("turno-id", URLEncoder.encode(own, StandardCharsets.UTF_8)));
        return headers;
    }

    /** From the item's key, which may hold any character, while a header may not, and the signature's full stop must not. */
    static String idOf(String key) {
        try {
            byte[] hash = MessageDigest.getInstance("SHA-256").digest(key.getBytes(StandardCharsets.UTF_8));
            return "msg_" + Base64.getUrlEncoder().withoutPadding().encodeToString(Arrays.copyOf(hash, 18));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("Every Java runtime has SHA-256, but this one says: " + e, e);
        }
    }

    /** Over before the claim lapses: whoever takes it then must not post beside us. */
    private Duration timeout(Turn turn) {
        Duration left = turn.remaining().minus(MARGIN);
        Duration bounded = left.compareTo(webhook.timeout()) < 0 ? left : webhook.timeout();
        return bounded.compareTo(SHORTEST_TIMEOUT) < 0 ? SHORTEST_TIMEOUT : bounded;
    }

    private static ContentType typeOf(String body) {
        String text = body.stripLeading();
        boolean json = text.startsWith("{") || text.startsWith("[") || text.startsWith("\"");
        return json ? ContentType.APPLICATION_JSON : ContentType.TEXT_PLAIN.withCharset(StandardCharsets.UTF_8);
    }

    private Result judged(Sender.Answer answer) {
        int status = answer.status();
        String said = webhook.receiver() + " answered " + status
                + (answer.excerpt().isEmpty() ? "." : ": " + answer.excerpt());
        if (status >= 500 || status == 429 || status == 408) {
            circuit.failed(said);
        } else {
            circuit.worked();
        }
        if (status >= 200 && status < 300) {
            return Result.done();
        }
        if (status == 410) {
            return Result.reject(said);
        }
        return answer.retryAfter()
                .map(wait -> Result.retryIn(wait.compareTo(LONGEST_RETRY_AFTER) > 0 ? LONGEST_RETRY_AFTER : wait, said))
                .orElseGet(() -> Result.retry(said));
    }
}
