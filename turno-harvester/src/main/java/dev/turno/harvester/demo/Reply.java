package dev.turno.harvester.demo;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;

/** An answer before it is sent. */
@SuppressWarnings("ArrayRecordComponent") // never compared
public record Reply(int status, Map<String, String> headers, byte[] body, Duration delay) {

    public Reply {
        headers = Map.copyOf(headers);
    }

    static Reply xml(String text) {
        return new Reply(
                200,
                Map.of("Content-Type", "text/xml; charset=UTF-8"),
                text.getBytes(StandardCharsets.UTF_8),
                Duration.ZERO);
    }

    String text() {
        return new String(body, StandardCharsets.UTF_8);
    }

    Reply with(String text) {
        return with(text.getBytes(StandardCharsets.UTF_8));
    }

    Reply with(byte[] bytes) {
        return new Reply(status, headers, bytes, delay);
    }

    Reply with(int other) {
        return new Reply(other, headers, body, delay);
    }

    Reply with(String header, String value) {
        Map<String, String> more = new HashMap<>(headers);
        more.put(header, value);
        return new Reply(status, more, body, delay);
    }

    Reply after(Duration wait) {
        return new Reply(status, headers, body, wait);
    }
}
