package dev.turno.web.dashboard;

import dev.turno.Turno;
import dev.turno.inbox.Inbox;
import dev.turno.inbox.InboxState;
import dev.turno.inbox.Page;
import dev.turno.inbox.StoredMessage;
import dev.turno.run.RunState;
import dev.turno.run.SubmitOutcome;
import dev.turno.web.api.ConflictException;
import dev.turno.web.api.Inputs;
import dev.turno.web.api.Names;
import dev.turno.web.security.AuditNote;
import dev.turno.web.security.Role;
import dev.turno.web.security.Route;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpStatus;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.ResponseStatus;
import org.springframework.web.bind.annotation.RestController;

/** Acts on all messages that match a filter: how many they are, and the run that does it. */
@RestController
@RequestMapping("/api/v1/inboxes/{inbox}/bulk")
class BulkController {

    private static final int MOST_COUNTED = 10_000;
    private static final int MOST_PARTS = 20; // of ten thousand rows each

    record Wish(
            BulkJob.@Nullable Act act,
            @Nullable InboxState state,
            @Nullable String q) {}

    /** @param more there are more than were counted */
    record Count(int count, boolean more) {}

    private final Turno turno;
    private final Names names;

    BulkController(Turno turno, Names names) {
        this.turno = turno;
        this.names = names;
    }

    @GetMapping
    @Route(
            role = Role.VIEWER,
            says = "How many messages in a state match q, counted up to ten thousand.",
            gives = "{\"count\":1284,\"more\":false}")
    Count count(@PathVariable String inbox, @RequestParam InboxState state, @RequestParam Optional<String> q) {
        return count(names.inbox(inbox), state, Inputs.searched(q));
    }

    private static Count count(Inbox inbox, InboxState state, Optional<String> text) {
        int count = 0;
        int parts = 0;
        Optional<String> after = Optional.empty();
        do {
            Page<StoredMessage> page = inbox.list(state, text, after, Inbox.LONGEST_PAGE);
            count += page.items().size();
            after = page.next();
        } while (after.isPresent() && count < MOST_COUNTED && ++parts < MOST_PARTS);
        return new Count(count, after.isPresent());
    }

    @PostMapping
    @ResponseStatus(HttpStatus.CREATED)
    @Route(
            role = Role.OPERATOR,
            says =
                    "Submits a run that revives, cancels or hastens all messages in a state that match q; 409 if as many runs wait as may.",
            takes = "{\"act\":\"REVIVE\",\"state\":\"DEAD\",\"q\":\"timeout\"}",
            gives = "{\"id\":812,\"state\":\"PENDING\"}",
            status = 201)
    Map<String, Object> submit(@PathVariable String inbox, @RequestBody Wish wish, AuditNote note) {
        BulkJob.Act act = Inputs.required("act", wish.act());
        InboxState state = Inputs.required("state", wish.state());
        act.requireFor(state);
        Optional<String> text = Inputs.searched(Optional.ofNullable(wish.q()));
        Count count = count(names.inbox(inbox), state, text);
        Optional<Long> total = count.more() ? Optional.empty() : Optional.of((long) count.count());
        SubmitOutcome outcome = turno.runs().submit(BulkJob.request(inbox, act, state, text, total));
        if (outcome instanceof SubmitOutcome.Refused refused) {
            throw new ConflictException(refused.because());
        }
        long id = ((SubmitOutcome.Queued) outcome).id();
        note.about("run " + id + ": " + act + " " + count.count() + (count.more() ? "+ " : " ") + state
                + text.map(q -> " with '" + q + "'").orElse(""));
        return Map.of("id", id, "state", RunState.PENDING);
    }
}
