package dev.turno.inbox;

import static dev.turno.fuzz.Property.holds;

import dev.turno.Turno;
import dev.turno.TurnoOptions;
import dev.turno.run.RunState;
import dev.turno.task.TaskState;
import dev.turno.testkit.database.TestDatabase;
import dev.turno.web.api.Inputs;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Optional;

/** A search in the first line, a place in the second, as the lists of messages, tasks and runs get them, on a real database in memory. */
public final class ListFuzz {

    private static final Turno TURNO = Turno.start(TestDatabase.H2.fresh().dataSource(), TurnoOptions.defaults());

    static {
        TURNO.inbox("orders").put("order-1", "{}");
        TURNO.inbox("orders").put("order-2", "{}");
        TURNO.tasks().schedule("report", "{}", Instant.parse("2100-01-01T00:00:00Z"));
    }

    private ListFuzz() {}

    private interface Listing {
        void of(Optional<String> text, Optional<String> after);
    }

    public static void fuzzerTestOneInput(byte[] input) {
        String all = new String(input, StandardCharsets.UTF_8);
        int line = all.indexOf('\n');
        String text = line < 0 ? all : all.substring(0, line);
        Optional<String> after = line < 0 ? Optional.empty() : Optional.of(all.substring(line + 1));
        check(text, after, (q, place) -> TURNO.inbox("orders").list(InboxState.PENDING, q, place, 1));
        check(text, after, (q, place) -> TURNO.inbox("orders").list(InboxState.DONE, q, place, 1));
        check(text, after, (q, place) -> TURNO.tasks().list("report", TaskState.PENDING, q, place, 1));
        check(text, after, (q, place) -> TURNO.tasks().list("report", TaskState.DEAD, q, place, 1));
        check(text, after, (q, place) -> TURNO.runs().list(RunState.DONE, place, 1));
    }

    private static void check(String text, Optional<String> after, Listing listing) {
        try {
            listing.of(Inputs.searched(Optional.of(text)), after);
        } catch (IllegalArgumentException refused) {
            holds(refused.getMessage() != null && !refused.getMessage().isBlank(), "a refusal says why");
        }
    }
}
