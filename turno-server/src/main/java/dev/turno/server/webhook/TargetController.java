package dev.turno.server.webhook;

import com.fasterxml.jackson.annotation.JsonInclude;
import dev.turno.web.api.ConflictException;
import dev.turno.web.api.Inputs;
import dev.turno.web.api.NotFoundException;
import dev.turno.web.security.AuditNote;
import dev.turno.web.security.Role;
import dev.turno.web.security.Route;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpStatus;
import org.springframework.web.bind.annotation.DeleteMapping;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PutMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.ResponseStatus;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.server.ResponseStatusException;

/** How inboxes, buffers and task types are handled by the servers. */
@RestController
@RequestMapping("/api/v1")
class TargetController {

    private static final Set<String> WEBHOOK_FIELDS = Set.of("url", "secret", "timeout", "overlap");
    private static final String FORGETS = "The servers handle it no more, and forget what was said about it.";
    private static final String EXAMPLE =
            "{\"webhook\":{\"url\":\"https://hooks.example.com/orders\",\"timeout\":\"PT10S\"},"
                    + "\"concurrency\":8,\"maxAttempts\":10,\"backoff\":\"1s..10m\",\"maxRun\":\"PT1M\"}";

    private final Webhooks webhooks;

    TargetController(Webhooks webhooks) {
        this.webhooks = webhooks;
    }

    /**
     * A target as it is shown.
     *
     * @param receiver the host; the path may be a secret of the receiver's
     * @param secret only in the answer to the request that had it made
     */
    @JsonInclude(JsonInclude.Include.NON_NULL)
    record View(
            String kind,
            String name,
            Map<String, String> options,
            @Nullable String receiver,
            @Nullable Duration timeout,
            @Nullable String secret) {

        static View of(Target target, Optional<Secret> drawn) {
            return new View(
                    target.kind().toString(),
                    target.name(),
                    new TreeMap<>(target.options()),
                    target.webhook().map(Webhook::receiver).orElse(null),
                    target.webhook().map(Webhook::timeout).orElse(null),
                    drawn.map(Secret::reveal).orElse(null));
        }
    }

    record Views(List<View> items) {}

    @PutMapping("/inboxes/{inbox}")
    @Route(
            role = Role.ADMIN,
            says =
                    "Says how the servers handle an inbox, instead of what was said before. A webhook without a secret keeps the one"
                            + " it has, or gets one, which is answered this once; without concurrency the cluster's limit is lifted. A replaced secret signs beside the new one for a day,"
                            + " or for 'overlap'.",
            takes = EXAMPLE,
            gives =
                    "{\"kind\":\"inbox\",\"name\":\"orders\",\"options\":{\"concurrency\":\"8\"},\"receiver\":\"hooks.example.com\","
                            + "\"timeout\":\"PT10S\",\"secret\":\"whsec_...\"}")
    View putInbox(@PathVariable String inbox, @RequestBody Map<String, @Nullable Object> body, AuditNote note) {
        return put(new Target.Id(Target.Kind.INBOX, inbox), body, note);
    }

    @PutMapping("/buffers/{buffer}")
    @Route(
            role = Role.ADMIN,
            says = "Says how the servers handle a buffer; 'concurrency' is for each server.",
            takes = "{\"quiet\":\"PT10S\",\"maxWait\":\"PT1M\",\"maxCount\":50,"
                    + "\"webhook\":{\"url\":\"https://hooks.example.com/chats\"}}")
    View putBuffer(@PathVariable String buffer, @RequestBody Map<String, @Nullable Object> body, AuditNote note) {
        return put(new Target.Id(Target.Kind.BUFFER, buffer), body, note);
    }

    @PutMapping("/task-types/{type}")
    @Route(
            role = Role.ADMIN,
            says = "Says how the servers handle tasks of a type; 'concurrency' is for each server.",
            takes = EXAMPLE)
    View putTaskType(@PathVariable String type, @RequestBody Map<String, @Nullable Object> body, AuditNote note) {
        return put(new Target.Id(Target.Kind.TASK, type), body, note);
    }

    @DeleteMapping("/inboxes/{name}/webhook")
    @ResponseStatus(HttpStatus.NO_CONTENT)
    @Route(role = Role.ADMIN, says = FORGETS, status = 204)
    void removeInbox(@PathVariable String name) {
        remove(new Target.Id(Target.Kind.INBOX, name));
    }

    @DeleteMapping("/buffers/{name}/webhook")
    @ResponseStatus(HttpStatus.NO_CONTENT)
    @Route(role = Role.ADMIN, says = FORGETS, status = 204)
    void removeBuffer(@PathVariable String name) {
        remove(new Target.Id(Target.Kind.BUFFER, name));
    }

    @DeleteMapping("/task-types/{name}/webhook")
    @ResponseStatus(HttpStatus.NO_CONTENT)
    @Route(role = Role.ADMIN, says = FORGETS, status = 204)
    void removeTaskType(@PathVariable String name) {
        remove(new Target.Id(Target.Kind.TASK, name));
    }

    private void remove(Target.Id id) {
        try {
            if (!webhooks.remove(id)) {
                throw new NotFoundException("Nothing was said about the " + id + ".");
            }
        } catch (Webhooks.FixedException e) {
            throw new ConflictException(String.valueOf(e.getMessage()));
        }
    }

    @GetMapping("/targets")
    @Route(role = Role.VIEWER, says = "What the servers handle, and who receives it. Secrets and paths are not shown.")
    Views list() {
        return new Views(webhooks.list().stream()
                .map(target -> View.of(target, Optional.empty()))
                .toList());
    }

    private View put(Target.Id id, Map<String, @Nullable Object> body, AuditNote note) {
        Map<String, @Nullable Object> fields = new TreeMap<>(body);
        Optional<Webhooks.Wish> wish =
                Optional.ofNullable(fields.remove("webhook")).map(TargetController::wish);
        fields.values().removeIf(value -> value == null);
        try {
            Webhooks.Defined defined = webhooks.define(id, TargetOptions.ofApi(fields), wish);
            View view = View.of(defined.target(), defined.drawn());
            note.about("options " + view.options() + ", receiver " + view.receiver()
                    + (wish.flatMap(Webhooks.Wish::secret).isPresent() || view.secret() != null ? ", new secret" : ""));
            return view;
        } catch (Webhooks.FixedException e) {
            throw new ConflictException(String.valueOf(e.getMessage()));
        } catch (Webhooks.UnfitException e) {
            throw new ResponseStatusException(HttpStatus.UNPROCESSABLE_CONTENT, e.getMessage(), e);
        }
    }

    private static Webhooks.Wish wish(Object webhook) {
        if (!(webhook instanceof Map<?, ?> fields) || !WEBHOOK_FIELDS.containsAll(fields.keySet())) {
            throw new IllegalArgumentException(
                    "'webhook' has url, secret, timeout and overlap, and nothing else. Nothing was changed.");
        }
        return new Webhooks.Wish(
                Inputs.required("webhook.url", text(fields, "url").orElse(null)),
                text(fields, "secret"),
                text(fields, "timeout").map(text -> Inputs.duration("webhook.timeout", text)),
                text(fields, "overlap").map(text -> Inputs.duration("webhook.overlap", text)));
    }

    private static Optional<String> text(Map<?, ?> fields, String name) {
        return Optional.ofNullable(fields.get(name)).map(Object::toString);
    }
}
