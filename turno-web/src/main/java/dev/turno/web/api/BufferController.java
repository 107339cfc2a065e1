package dev.turno.web.api;

import dev.turno.Turno;
import dev.turno.buffer.Added;
import dev.turno.buffer.BufferCounts;
import dev.turno.buffer.BufferMessage;
import dev.turno.buffer.Buffers;
import dev.turno.buffer.DeadBurst;
import dev.turno.buffer.DeadPage;
import dev.turno.buffer.KeyView;
import dev.turno.web.security.Role;
import dev.turno.web.security.Route;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpStatus;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestHeader;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.ResponseStatus;
import org.springframework.web.bind.annotation.RestController;

@RestController
@RequestMapping("/api/v1/buffers")
class BufferController {

    private static final String NOT_TEXT = "json";

    private final Turno turno;
    private final Names names;

    BufferController(Turno turno, Names names) {
        this.turno = turno;
        this.names = names;
    }

    record AddRequest(
            @Nullable String id,
            @Nullable Body body,
            @Nullable String type,
            @Nullable Instant sentAt) {

        BufferMessage message(Optional<String> key) {
            Body given = Inputs.required("body", body);
            String kind = type != null ? type : given.isText() ? BufferMessage.TEXT : NOT_TEXT;
            Optional<String> messageId = Optional.ofNullable(id).or(() -> key);
            return new BufferMessage(messageId, given.text(), kind, Optional.ofNullable(sentAt));
        }
    }

    record AddAnswer(long seq, Optional<Instant> flushAt, boolean duplicate) {}

    record BufferView(String name, BufferCounts counts) {}

    @PostMapping("/{buffer}/{key}/messages")
    @ResponseStatus(HttpStatus.ACCEPTED)
    @Route(
            role = Role.PRODUCER,
            says = "Adds a message to what waits for this key. The same id again changes nothing.",
            takes = "{\"id\":\"wamid.1\",\"body\":\"hola\"}",
            gives = "{\"seq\":1,\"flushAt\":\"2030-01-01T10:00:10Z\",\"duplicate\":false}",
            status = 202)
    AddAnswer add(
            @PathVariable String buffer,
            @PathVariable String key,
            @RequestHeader(name = "Idempotency-Key", required = false) @Nullable String idempotencyKey,
            @RequestBody AddRequest request) {
        Added added = names.bufferForAdd(buffer).add(key, request.message(Optional.ofNullable(idempotencyKey)));
        return new AddAnswer(added.seq(), added.flushAt(), added.stored() == 0);
    }

    @GetMapping
    @Route(
            role = Role.VIEWER,
            says = "The buffers, by name.",
            gives =
                    "{\"items\":[{\"name\":\"whatsapp\",\"counts\":{\"pending\":1,\"doing\":0,\"dead\":0}}],\"next\":null}")
    Items<BufferView> list(@RequestParam Optional<String> after, @RequestParam(defaultValue = "100") int limit) {
        List<String> found = Items.after(turno.bufferNames(), after, Inputs.limit(limit) + 1);
        return Items.of(found.stream().map(this::view).toList(), limit, BufferView::name);
    }

    private BufferView view(String name) {
        return new BufferView(name, turno.buffers(name).counts());
    }

    @GetMapping({"/{buffer}/keys/{key}", "/{buffer}/{key}"})
    @Route(
            role = Role.VIEWER,
            says = "A key: what waits, when it is due, who has it. A key called 'dead' is found under keys alone.",
            gives = "{\"key\":\"+34600000001\",\"state\":\"PENDING\",\"waiting\":2,\"dead\":0}")
    KeyView show(@PathVariable String buffer, @PathVariable String key) {
        return names.buffer(buffer)
                .find(key)
                .orElseThrow(() -> new NotFoundException(
                        "There is no key '" + key + "' in buffer '" + buffer + "', or it was forgotten."));
    }

    @PostMapping("/{buffer}/{key}/flush")
    @Route(
            role = Role.OPERATOR,
            says = "Hands over now what waits; false if nothing does.",
            gives = "{\"flushed\":true}")
    Map<String, Boolean> flush(@PathVariable String buffer, @PathVariable String key) {
        return Map.of("flushed", names.buffer(buffer).flush(key));
    }

    @GetMapping("/{buffer}/dead")
    @Route(
            role = Role.VIEWER,
            says = "Bursts that failed for good, newest first, without their messages.",
            gives =
                    "{\"items\":[{\"id\":7,\"key\":\"+34600000001\",\"size\":3,\"attempt\":10,\"error\":\"503\"}],\"next\":null}")
    Items<DeadBurst> dead(
            @PathVariable String buffer,
            @RequestParam Optional<String> after,
            @RequestParam(defaultValue = "50") int limit) {
        Optional<Long> from = after.map(text -> Inputs.number(after, 0));
        DeadPage page = names.buffer(buffer).listDead(from, Inputs.limit(limit));
        return Items.of(page.items(), page.next());
    }

    @GetMapping("/{buffer}/dead/{id}")
    @Route(role = Role.VIEWER, says = "A dead burst with all its messages.")
    DeadBurst deadBurst(@PathVariable String buffer, @PathVariable long id) {
        return names.buffer(buffer).findDead(id).orElseThrow(() -> noSuchBurst(buffer, id));
    }

    private static NotFoundException noSuchBurst(String buffer, long id) {
        return new NotFoundException("There is no dead burst " + id + " in buffer '" + buffer + "'.");
    }

    @PostMapping("/{buffer}/dead/{id}/revive")
    @Route(
            role = Role.OPERATOR,
            says = "Gives a dead burst its turn again: the same messages under the same key.",
            gives = "{\"id\":7,\"revived\":true}")
    Map<String, Object> revive(@PathVariable String buffer, @PathVariable long id) {
        Buffers found = names.buffer(buffer);
        if (!found.revive(id)) {
            throw noSuchBurst(buffer, id);
        }
        return Map.of("id", id, "revived", true);
    }
}
