package dev.turno.web.api;

import static dev.turno.fuzz.Property.holds;

import dev.turno.web.address.AddressRange;
import dev.turno.web.address.PublicAddresses;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.json.JsonMapper;

/** A text in the place of each of the API's inputs: durations, places, searches, bodies, ranges of addresses. */
public final class InputsFuzz {

    private static final JsonMapper JSON = JsonMapper.builder().build();

    private InputsFuzz() {}

    private interface Reading {
        void of(String text);
    }

    public static void fuzzerTestOneInput(byte[] input) {
        String text = new String(input, StandardCharsets.UTF_8);
        refusedOrRead(text, InputsFuzz::duration);
        refusedOrRead(text, InputsFuzz::number);
        refusedOrRead(text, InputsFuzz::searched);
        refusedOrRead(text, InputsFuzz::range);
        body(text);
    }

    private static void refusedOrRead(String text, Reading reading) {
        try {
            reading.of(text);
        } catch (IllegalArgumentException refused) {
            holds(refused.getMessage() != null && !refused.getMessage().isBlank(), "a refusal says why");
        }
    }

    private static void duration(String text) {
        var duration = Inputs.duration("in", text);
        holds(Inputs.duration("in", duration.toString()).equals(duration), "a duration is read as it was written");
    }

    private static void number(String text) {
        long number = Inputs.number(Optional.of(text), 0);
        holds(Inputs.number(Optional.of(Long.toString(number)), 0) == number, "a place is read as it was written");
    }

    private static void searched(String text) {
        Inputs.searched(Optional.of(text))
                .ifPresent(q -> holds(q.equals(text) && q.indexOf('\0') < 0, "a search is plain"));
    }

    private static void range(String text) {
        AddressRange range = AddressRange.of(text);
        holds(range.contains(range.first()), "a range has its first address");
        boolean unused = PublicAddresses.isPublic(range.first());
    }

    private static void body(String text) {
        Body body;
        try {
            body = JSON.readValue(text, Body.class);
        } catch (JacksonException refused) {
            return;
        }
        if (body != null && !body.isText()) {
            holds(JSON.readValue(body.text(), Body.class).equals(body), "a body that is JSON stays as it is");
        }
    }
}
