package dev.turno.web.dashboard;

import dev.turno.Turno;
import dev.turno.inbox.Inbox;
import dev.turno.inbox.InboxState;
import dev.turno.inbox.StoredMessage;
import dev.turno.run.ItemPolicy;
import dev.turno.run.Job;
import dev.turno.run.Page;
import dev.turno.run.PageTurn;
import dev.turno.run.Pages;
import dev.turno.run.RunRequest;
import dev.turno.run.RunTurn;
import dev.turno.run.Step;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;

/**
 * A run over all messages of an inbox that match a filter: it goes on whoever looks, moves over when its process dies, can be stopped and
 * resumed, and never two at once on one inbox.
 */
final class BulkJob {

    static final String NAME = "turno-bulk";
    private static final int PAGE = 200;
    private static final int RETRIES = 5;
    private static final String END = "end";

    enum Act {
        REVIVE,
        CANCEL,
        HASTEN;

        private List<InboxState> states() {
            return switch (this) {
                case REVIVE -> List.of(InboxState.DEAD);
                case CANCEL -> List.of(InboxState.PENDING, InboxState.DEAD);
                case HASTEN -> List.of(InboxState.PENDING);
            };
        }

        void requireFor(InboxState state) {
            List<InboxState> states = states();
            if (!states.contains(state)) {
                throw new IllegalArgumentException(
                        this + " acts on messages in " + states + ", not in " + state + ". Nothing was started.");
            }
        }

        private Predicate<String> on(Inbox inbox) {
            return switch (this) {
                case REVIVE -> inbox::revive;
                case CANCEL -> inbox::cancel;
                case HASTEN -> inbox::hasten;
            };
        }
    }

    private BulkJob() {}

    /** @param count how many match, if it is known */
    static RunRequest request(String inbox, Act act, InboxState state, Optional<String> q, Optional<Long> count) {
        RunRequest request = RunRequest.of(NAME)
                .on("inbox " + inbox)
                .with("inbox", inbox)
                .with("act", act.name())
                .with("state", state.name());
        if (q.isPresent()) {
            request = request.with("q", q.get());
        }
        return count.isPresent() ? request.with("count", count.get().toString()) : request;
    }

    static Job<String> of(Turno turno) {
        return Job.of(
                NAME,
                run -> new Matching(inbox(turno, run), run),
                Step.outside((ids, page) -> act(turno, ids, page)),
                job -> job.pageSize(PAGE).onFailure(ItemPolicy.fail().retrying(RETRIES)));
    }

    private static void act(Turno turno, Iterable<String> ids, PageTurn page) {
        Predicate<String> act = Act.valueOf(parameter(page.run(), "act")).on(inbox(turno, page.run()));
        int refused = 0;
        for (String id : ids) {
            page.begin(id);
            refused += act.test(id) ? 0 : 1;
        }
        if (refused > 0) {
            page.run().log(refused + " had changed or needed nothing, and were left alone.");
        }
    }

    private static Inbox inbox(Turno turno, RunTurn run) {
        return turno.inbox(parameter(run, "inbox"));
    }

    private static String parameter(RunTurn run, String name) {
        String value = run.parameters().get(name);
        if (value == null) {
            throw new IllegalArgumentException("Run " + run.id() + " has no parameter '" + name
                    + "', so nothing was done. Ask for it by POST /inboxes/{inbox}/bulk.");
        }
        return value;
    }

    /** The ids that match, in the order of the list; the cursor is the list's. */
    private static final class Matching implements Pages<String> {

        private final Inbox inbox;
        private final Map<String, String> parameters;
        private final InboxState state;
        private Optional<String> after;

        private Matching(Inbox inbox, RunTurn run) {
            this.inbox = inbox;
            this.parameters = run.parameters();
            this.state = InboxState.valueOf(parameter(run, "state"));
            this.after = run.cursor();
        }

        @Override
        public Optional<Page<String>> next(int size) {
            if (after.equals(Optional.of(END))) {
                return Optional.empty();
            }
            var found = inbox.list(state, Optional.ofNullable(parameters.get("q")), after, size);
            after = Optional.of(found.next().orElse(END));
            return Optional.of(
                    new Page<>(found.items().stream().map(StoredMessage::id).toList(), after.get()));
        }

        @Override
        public Optional<Long> total() {
            return Optional.ofNullable(parameters.get("count")).map(Long::valueOf);
        }
    }
}
