package dev.turno.web.api;

import dev.turno.Turno;
import dev.turno.inbox.Counts;
import dev.turno.inbox.Inbox;
import dev.turno.inbox.InboxState;
import dev.turno.inbox.NewMessage;
import dev.turno.inbox.Page;
import dev.turno.inbox.PutOutcome;
import dev.turno.inbox.StoredMessage;
import dev.turno.web.security.AuditNote;
import dev.turno.web.security.Role;
import dev.turno.web.security.Route;
import jakarta.servlet.http.HttpServletRequest;
import java.io.IOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpStatus;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestHeader;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;
import tools.jackson.databind.MappingIterator;
import tools.jackson.databind.json.JsonMapper;

@RestController
@RequestMapping("/api/v1/inboxes")
class InboxController {

    private static final int MOST_AT_ONCE = 10_000;
    private static final int REFUSALS_SHOWN = 100;

    private final Turno turno;
    private final Names names;
    private final JsonMapper json;

    InboxController(Turno turno, Names names, JsonMapper json) {
        this.turno = turno;
        this.names = names;
        this.json = json;
    }

    record PutRequest(
            @Nullable String id,
            @Nullable Body body,
            @Nullable Integer priority,
            @Nullable Instant turnAt,
            @Nullable String orderingKey) {

        NewMessage message(Optional<String> idempotencyKey) {
            String messageId = Optional.ofNullable(id)
                    .or(() -> idempotencyKey)
                    .orElseGet(() -> UUID.randomUUID().toString());
            NewMessage message =
                    NewMessage.of(messageId, Inputs.required("body", body).text());
            if (priority != null) {
                message = message.withPriority(priority);
            }
            if (turnAt != null) {
                message = message.at(turnAt);
            }
            return orderingKey == null ? message : message.inOrderOf(orderingKey);
        }
    }

    record PutAnswer(String id, InboxState state, boolean duplicate) {}

    record Refusal(int index, String id, String because) {}

    record BatchAnswer(int accepted, int duplicates, int refused, List<Refusal> refusals) {}

    /** @param concurrency the most that are under way at once in the cluster */
    record InboxView(String name, boolean paused, Counts counts, Optional<Integer> concurrency) {}

    @PostMapping("/{inbox}/messages")
    @Route(
            role = Role.PRODUCER,
            says =
                    "Stores a message once by its id. The id may also come as Idempotency-Key; without one a new id is drawn."
                            + " 200 with duplicate true if it was there; 422 if another body stands under the same id.",
            takes = "{\"id\":\"order-1\",\"body\":{\"total\":10},\"priority\":5,\"orderingKey\":\"customer-7\"}",
            gives = "{\"id\":\"order-1\",\"state\":\"PENDING\",\"duplicate\":false}",
            status = 201)
    ResponseEntity<PutAnswer> put(
            @PathVariable String inbox,
            @RequestHeader(name = "Idempotency-Key", required = false) @Nullable String key,
            @RequestBody PutRequest request,
            AuditNote note) {
        NewMessage message = request.message(Optional.ofNullable(key));
        if (note.hasReason()) { // a person's put, such as that of an edited body
            note.about("message '" + message.id() + "'");
            note.begin();
        }
        PutOutcome outcome = names.inboxForPut(inbox).put(message);
        return outcome instanceof PutOutcome.Duplicate duplicate
                ? ResponseEntity.ok(new PutAnswer(message.id(), duplicate.state(), true))
                : ResponseEntity.status(HttpStatus.CREATED)
                        .body(new PutAnswer(message.id(), InboxState.PENDING, false));
    }

    @PostMapping("/{inbox}/messages/batch")
    @Route(
            role = Role.PRODUCER,
            says = "Stores up to 10,000 messages, sent as a JSON array or as one JSON object per line (NDJSON).",
            takes = "[{\"id\":\"order-2\",\"body\":\"a\"},{\"id\":\"order-3\",\"body\":\"b\"}]",
            gives = "{\"accepted\":2,\"duplicates\":0,\"refused\":0,\"refusals\":[]}")
    BatchAnswer putAll(@PathVariable String inbox, HttpServletRequest request) throws IOException {
        List<NewMessage> messages = read(request);
        return answer(messages, names.inboxForPut(inbox).putAll(messages));
    }

    private List<NewMessage> read(HttpServletRequest request) throws IOException {
        List<NewMessage> messages = new ArrayList<>();
        try (MappingIterator<PutRequest> requests =
                json.readerFor(PutRequest.class).readValues(request.getInputStream())) {
            while (requests.hasNext()) {
                if (messages.size() == MOST_AT_ONCE) {
                    throw new IllegalArgumentException(
                            "A batch has at most " + MOST_AT_ONCE + " messages. Nothing was stored; send it in parts.");
                }
                PutRequest next = Inputs.required("an item of the list", requests.next());
                messages.add(next.message(Optional.empty()));
            }
        }
        return messages;
    }

    private static BatchAnswer answer(List<NewMessage> messages, List<PutOutcome> outcomes) {
        int accepted = 0;
        int duplicates = 0;
        List<Refusal> refusals = new ArrayList<>();
        for (int i = 0; i < outcomes.size(); i++) {
            if (outcomes.get(i) instanceof PutOutcome.Refused refused) {
                refusals.add(new Refusal(i, messages.get(i).id(), refused.because()));
            } else if (outcomes.get(i) instanceof PutOutcome.Duplicate) {
                duplicates++;
            } else {
                accepted++;
            }
        }
        List<Refusal> shown = refusals.stream().limit(REFUSALS_SHOWN).toList();
        return new BatchAnswer(accepted, duplicates, refusals.size(), shown);
    }

    @GetMapping
    @Route(
            role = Role.VIEWER,
            says = "The inboxes, by name.",
            gives =
                    "{\"items\":[{\"name\":\"orders\",\"paused\":false,\"counts\":{\"pending\":1,\"doing\":0,\"done\":5,"
                            + "\"dead\":0,\"cancelled\":0}}],\"next\":null}")
    Items<InboxView> list(@RequestParam Optional<String> after, @RequestParam(defaultValue = "100") int limit) {
        List<String> found = Items.after(turno.inboxNames(), after, Inputs.limit(limit) + 1);
        return Items.of(found.stream().map(this::view).toList(), limit, InboxView::name);
    }

    private InboxView view(String name) {
        Inbox inbox = turno.inbox(name);
        return new InboxView(name, inbox.isPaused(), inbox.counts(), inbox.concurrency());
    }

    @GetMapping("/{inbox}")
    @Route(role = Role.VIEWER, says = "One inbox: its counts, and whether it is paused.")
    InboxView show(@PathVariable String inbox) {
        return view(names.inbox(inbox).name());
    }

    @GetMapping("/{inbox}/messages")
    @Route(
            role = Role.VIEWER,
            says = "Messages in a state, without their bodies; q is a part of the id or the error.",
            gives = "{\"items\":[{\"id\":\"order-1\",\"state\":\"PENDING\",\"priority\":5,\"attempt\":0,\"fence\":0}],"
                    + "\"next\":null}")
    Items<StoredMessage> messages(
            @PathVariable String inbox,
            @RequestParam(defaultValue = "PENDING") InboxState state,
            @RequestParam Optional<String> q,
            @RequestParam Optional<String> after,
            @RequestParam(defaultValue = "50") int limit) {
        Page<StoredMessage> page = names.inbox(inbox).list(state, Inputs.searched(q), after, Inputs.limit(limit));
        return Items.of(page.items(), page.next());
    }

    @GetMapping("/{inbox}/messages/{id}")
    @Route(role = Role.VIEWER, says = "One message with its body.")
    StoredMessage message(@PathVariable String inbox, @PathVariable String id) {
        return names.inbox(inbox)
                .find(id)
                .orElseThrow(() -> new NotFoundException("There is no message '" + id + "' in inbox '" + inbox
                        + "'. It was never put, or its time to be kept has passed."));
    }

    @PostMapping("/{inbox}/messages/{id}/revive")
    @Route(
            role = Role.OPERATOR,
            says = "Gives a DEAD message its turn again, with all its attempts; 409 if it is not DEAD.",
            gives = "{\"id\":\"order-1\",\"state\":\"PENDING\"}")
    Map<String, Object> revive(@PathVariable String inbox, @PathVariable String id) {
        if (!names.inbox(inbox).revive(id)) {
            throw new ConflictException("Message '" + id + "' is "
                    + message(inbox, id).state() + "; only a DEAD one can be revived. Nothing was changed.");
        }
        return Map.of("id", id, "state", InboxState.PENDING);
    }

    @PostMapping("/{inbox}/messages/{id}/hasten")
    @Route(
            role = Role.OPERATOR,
            says = "Gives a message that waits for a later turn its turn now; 409 if it does not wait for one.",
            gives = "{\"id\":\"order-1\",\"state\":\"PENDING\"}")
    Map<String, Object> hasten(@PathVariable String inbox, @PathVariable String id) {
        if (!names.inbox(inbox).hasten(id)) {
            throw new ConflictException("Message '" + id + "' is "
                    + message(inbox, id).state()
                    + " and waits for no later turn of its own. Nothing was changed.");
        }
        return Map.of("id", id, "state", InboxState.PENDING);
    }

    @PostMapping("/{inbox}/messages/{id}/cancel")
    @Route(
            role = Role.OPERATOR,
            says = "Gives up a message that waits or is DEAD; 409 if it is under way or over.",
            gives = "{\"id\":\"order-1\",\"state\":\"CANCELLED\"}")
    Map<String, Object> cancel(@PathVariable String inbox, @PathVariable String id) {
        if (!names.inbox(inbox).cancel(id)) {
            throw new ConflictException(
                    "Message '" + id + "' is " + message(inbox, id).state()
                            + "; only one that waits or is DEAD can be cancelled. Nothing was changed.");
        }
        return Map.of("id", id, "state", InboxState.CANCELLED);
    }

    @PostMapping("/{inbox}/revive")
    @Route(
            role = Role.OPERATOR,
            says = "Revives all DEAD messages, or those with q in their id or error.",
            gives = "{\"revived\":12}")
    Map<String, Integer> reviveAll(
            @PathVariable String inbox,
            @RequestParam(defaultValue = "DEAD") InboxState state,
            @RequestParam Optional<String> q,
            AuditNote note) {
        if (state != InboxState.DEAD) {
            throw new IllegalArgumentException("Only DEAD messages can be revived, not those that are " + state + ".");
        }
        int revived = names.inbox(inbox).reviveAll(Inputs.searched(q));
        note.about(revived + " messages");
        return Map.of("revived", revived);
    }

    @PostMapping("/{inbox}/pause")
    @Route(
            role = Role.OPERATOR,
            says = "Nobody in the cluster takes from this inbox until it is resumed; puts go on.",
            gives = "{\"inbox\":\"orders\",\"paused\":true}")
    Map<String, Object> pause(@PathVariable String inbox) {
        names.inbox(inbox).pause();
        return Map.of("inbox", inbox, "paused", true);
    }

    @PostMapping("/{inbox}/resume")
    @Route(role = Role.OPERATOR, says = "Takes go on.", gives = "{\"inbox\":\"orders\",\"paused\":false}")
    Map<String, Object> resume(@PathVariable String inbox) {
        names.inbox(inbox).resume();
        return Map.of("inbox", inbox, "paused", false);
    }
}
