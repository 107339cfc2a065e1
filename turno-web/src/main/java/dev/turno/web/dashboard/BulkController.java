package dev.turno.web.dashboard;

import dev.turno.inbox.Inbox;
import dev.turno.inbox.InboxState;
import dev.turno.inbox.Page;
import dev.turno.inbox.StoredMessage;
import dev.turno.web.api.Inputs;
import dev.turno.web.api.Names;
import dev.turno.web.security.AuditNote;
import dev.turno.web.security.Role;
import dev.turno.web.security.Route;
import java.util.Optional;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

/**
 * Acts on all messages that match a filter, a part at a time: whoever asks repeats with {@code after} until there is none, sees how far it
 * is, and may stop.
 */
@RestController
@RequestMapping("/api/v1/inboxes/{inbox}/bulk")
class BulkController {

    private static final int MOST_COUNTED = 10_000;
    private static final int PART = 200;

    enum Act {
        REVIVE,
        CANCEL,
        HASTEN;

        private Predicate<String> on(Inbox inbox) {
            return switch (this) {
                case REVIVE -> inbox::revive;
                case CANCEL -> inbox::cancel;
                case HASTEN -> inbox::hasten;
            };
        }
    }

    /** @param after where the last part ended */
    record Wish(
            Act act,
            InboxState state,
            @Nullable String q,
            @Nullable String after) {}

    /** @param refused were no longer in the state that they were listed in */
    record Part(int done, int refused, @Nullable String after) {}

    /** @param more there are more than were counted */
    record Count(int count, boolean more) {}

    private final Names names;

    BulkController(Names names) {
        this.names = names;
    }

    @GetMapping
    @Route(
            role = Role.VIEWER,
            says = "How many messages in a state match q, counted up to ten thousand.",
            gives = "{\"count\":1284,\"more\":false}")
    Count count(@PathVariable String inbox, @RequestParam InboxState state, @RequestParam Optional<String> q) {
        Inbox looked = names.inbox(inbox);
        Optional<String> text = Inputs.searched(q);
        int count = 0;
        Optional<String> after = Optional.empty();
        do {
            Page<StoredMessage> page = looked.list(state, text, after, Inbox.LONGEST_PAGE);
            count += page.items().size();
            after = page.next();
        } while (after.isPresent() && count < MOST_COUNTED);
        return new Count(count, after.isPresent());
    }

    @PostMapping
    @Route(
            role = Role.OPERATOR,
            says =
                    "Revives, cancels or hastens the next 200 messages in a state that match q; ask again with after until it is null.",
            takes = "{\"act\":\"REVIVE\",\"state\":\"DEAD\",\"q\":\"timeout\"}",
            gives = "{\"done\":200,\"refused\":0,\"after\":\"1767225600000000-812\"}")
    Part part(@PathVariable String inbox, @RequestBody Wish wish, AuditNote note) {
        Inbox looked = names.inbox(inbox);
        Page<StoredMessage> page = looked.list(
                Inputs.required("state", wish.state()),
                Inputs.searched(Optional.ofNullable(wish.q())),
                Optional.ofNullable(wish.after()),
                PART);
        Predicate<String> act = Inputs.required("act", wish.act()).on(looked);
        int done = (int)
                page.items().stream().filter(message -> act.test(message.id())).count();
        note.about(done + " messages, " + wish.act());
        return new Part(done, page.items().size() - done, page.next().orElse(null));
    }
}
