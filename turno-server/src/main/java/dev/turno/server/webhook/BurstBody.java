package dev.turno.server.webhook;

import dev.turno.buffer.Burst;
import dev.turno.buffer.BurstMessage;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** A burst as its receiver sees it: {@code {"key","messages":[{"id","type","body","at"}],"text"}}. */
final class BurstBody {

    private static final JsonMapper JSON = new JsonMapper();

    private BurstBody() {}

    static String of(Burst burst) {
        ObjectNode body = JSON.createObjectNode();
        body.put("key", burst.key());
        ArrayNode messages = body.putArray("messages");
        for (BurstMessage message : burst.messages()) {
            ObjectNode one = messages.addObject();
            message.id().ifPresent(id -> one.put("id", id));
            one.put("type", message.type());
            one.put("body", message.body());
            one.put("at", message.sentAt().orElse(message.addedAt()).toString());
        }
        body.put("text", burst.text());
        return JSON.writeValueAsString(body);
    }
}
