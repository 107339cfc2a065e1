package dev.turno.web.dashboard;

import dev.turno.buffer.BurstMessage;
import dev.turno.buffer.DeadBurst;
import dev.turno.inbox.StoredMessage;
import dev.turno.task.StoredTask;
import dev.turno.web.api.Items;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.springframework.core.MethodParameter;
import org.springframework.http.MediaType;
import org.springframework.http.converter.HttpMessageConverter;
import org.springframework.http.server.ServerHttpRequest;
import org.springframework.http.server.ServerHttpResponse;
import org.springframework.web.bind.annotation.ControllerAdvice;
import org.springframework.web.servlet.mvc.method.annotation.ResponseBodyAdvice;
import tools.jackson.core.JacksonException;
import tools.jackson.core.StreamReadFeature;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/** Takes out of the API's answers to people what they are not to see. External workers get bodies by another way. Shared by threads. */
@ControllerAdvice
class Redaction implements ResponseBodyAdvice<Object> {

    private static final String HIDDEN = "•••";

    private final boolean hidesAll;
    private final Set<String> fields;
    // Numbers of any length stay what they are. Of two fields with one name the tree would keep the second, and the
    // first would be shown.
    private final JsonMapper json = JsonMapper.builder()
            .enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS)
            .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
            .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
            .build();

    Redaction(DashboardProperties properties) {
        this.hidesAll = properties.hideBodies();
        this.fields = Set.copyOf(properties.redact());
    }

    @Override
    public boolean supports(MethodParameter method, Class<? extends HttpMessageConverter<?>> converter) {
        return hidesAll || !fields.isEmpty();
    }

    @Override
    public @Nullable Object beforeBodyWrite(
            @Nullable Object body,
            MethodParameter method,
            MediaType type,
            Class<? extends HttpMessageConverter<?>> converter,
            ServerHttpRequest request,
            ServerHttpResponse response) {
        return body == null ? null : seen(body);
    }

    private Object seen(Object answer) {
        if (answer instanceof StoredMessage message) {
            return seen(message);
        } else if (answer instanceof StoredTask task) {
            return seen(task);
        } else if (answer instanceof DeadBurst burst) {
            return seen(burst);
        } else if (answer instanceof Glances.Waiting waiting) {
            return new Glances.Waiting(waiting.seq(), waiting.addedAt(), waiting.type(), seen(waiting.body()));
        } else if (answer instanceof Items<?> list) {
            return new Items<>(list.items().stream().map(this::seen).toList(), list.next());
        }
        return answer;
    }

    private StoredMessage seen(StoredMessage m) {
        return new StoredMessage(
                m.id(),
                m.state(),
                m.priority(),
                m.attempt(),
                m.fence(),
                m.putAt(),
                m.turnAt(),
                m.heldUntil(),
                m.finishedAt(),
                m.orderingKey(),
                m.node(),
                m.error(),
                seen(m.body()));
    }

    private StoredTask seen(StoredTask t) {
        return new StoredTask(
                t.id(),
                t.type(),
                t.key(),
                t.state(),
                t.priority(),
                t.attempt(),
                t.fence(),
                t.putAt(),
                t.at(),
                t.turnAt(),
                t.heldUntil(),
                t.finishedAt(),
                t.lane(),
                t.node(),
                t.schedule(),
                t.error(),
                seen(t.body()));
    }

    private DeadBurst seen(DeadBurst b) {
        return new DeadBurst(
                b.id(),
                b.key(),
                b.handedOverAs(),
                b.size(),
                b.attempt(),
                b.deadAt(),
                b.error(),
                b.revived(),
                b.messages().stream()
                        .map(m -> new BurstMessage(m.seq(), m.id(), m.type(), seen(m.body()), m.sentAt(), m.addedAt()))
                        .toList());
    }

    private Optional<String> seen(Optional<String> body) {
        return hidesAll ? Optional.empty() : body.map(this::seen);
    }

    private String seen(String body) {
        if (hidesAll) {
            return HIDDEN;
        }
        try {
            JsonNode tree = json.readTree(body);
            return redact(tree) ? json.writeValueAsString(tree) : body;
        } catch (JacksonException | NumberFormatException e) { // the second for 0E9999999999
            // Without a brace it has no fields. With one it may have them: several values, too deep, with a name twice,
            // or cut off.
            return body.indexOf('{') < 0 ? body : HIDDEN;
        }
    }

    /** True if something was taken out. */
    private boolean redact(JsonNode node) {
        boolean found = false;
        if (node instanceof ObjectNode object) {
            for (String name : object.propertyNames().stream().toList()) {
                if (fields.contains(name)) {
                    object.put(name, HIDDEN);
                    found = true;
                }
            }
        }
        for (JsonNode child : node) {
            found |= redact(child);
        }
        return found;
    }
}
