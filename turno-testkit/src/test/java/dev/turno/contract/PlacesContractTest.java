package dev.turno.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.turno.Turno;
import dev.turno.TurnoOptions;
import dev.turno.inbox.Inbox;
import dev.turno.inbox.InboxState;
import dev.turno.inbox.NewMessage;
import dev.turno.inbox.Page;
import dev.turno.inbox.StoredMessage;
import dev.turno.run.RunState;
import dev.turno.task.NewTask;
import dev.turno.task.TaskPage;
import dev.turno.task.TaskState;
import dev.turno.testkit.database.FreshDatabase;
import dev.turno.testkit.database.OnEveryDatabase;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What callers bring back as a place in a list. */
@OnEveryDatabase
class PlacesContractTest {

    private static final String LOWEST = Long.toString(Long.MIN_VALUE);
    private static final String HIGHEST =
            "253402214400000000"; // the last day of 9999, in microseconds: the turn of who waits in a lane

    private final Turno turno;

    PlacesContractTest(FreshDatabase database) {
        this.turno = Turno.start(database.dataSource(), TurnoOptions.defaults());
    }

    @AfterEach
    void close() {
        turno.close();
    }

    @Test
    void a_place_that_no_list_gives_is_refused_and_the_database_not_asked() {
        for (String number : List.of(LOWEST, "-1", "x", "", HIGHEST + "0", Long.toString(Long.MAX_VALUE))) {
            refused(() ->
                    turno.inbox("orders").list(InboxState.PENDING, Optional.empty(), place("0", number, "1"), 10));
            refused(() -> turno.inbox("orders").list(InboxState.DONE, Optional.empty(), place(number, "1"), 10));
            refused(() ->
                    turno.tasks().list("report", TaskState.PENDING, Optional.empty(), place("0", number, "1"), 10));
            refused(() -> turno.runs().list(RunState.DONE, place(number, "1"), 10));
        }
        refused(() -> turno.runs().list(RunState.DONE, place("1"), 10));
    }

    @Test
    void the_highest_place_is_behind_all_that_waits_and_before_all_that_has_ended() {
        turno.tasks().schedule("report", "{}", Instant.parse("2100-01-01T00:00:00Z"));
        Inbox orders = turno.inbox("orders");
        orders.put("waits", "{}");
        orders.put("given up", "{}");
        orders.cancel("given up");

        assertThat(orders.list(InboxState.PENDING, Optional.empty(), place("9", HIGHEST, HIGHEST), 10)
                        .items())
                .isEmpty();
        assertThat(orders.list(InboxState.CANCELLED, Optional.empty(), place(HIGHEST, HIGHEST), 10)
                        .items())
                .extracting(StoredMessage::id)
                .containsExactly("given up");
        assertThat(turno.tasks()
                        .list("report", TaskState.PENDING, Optional.empty(), place("9", HIGHEST, HIGHEST), 10)
                        .items())
                .isEmpty();
        assertThat(turno.runs().list(RunState.DONE, place(HIGHEST, HIGHEST), 10).items())
                .isEmpty();
    }

    @Test
    void what_waits_behind_others_is_listed_to_its_end_page_by_page() {
        Inbox orders = turno.inbox("orders");
        List<String> put = List.of("a", "b", "c", "d", "e");
        put.forEach(id -> orders.put(NewMessage.of(id, "{}").inOrderOf("customer-1")));
        put.forEach(key -> turno.tasks()
                .schedule(NewTask.in("report", "{}", Duration.ofHours(1))
                        .withKey(key, NewTask.IfThere.KEEP)
                        .inLane("customer-1")));

        assertThat(walk(place -> orders.list(InboxState.PENDING, Optional.empty(), place, 2), Page::items, Page::next))
                .extracting(StoredMessage::id)
                .containsExactlyElementsOf(put);
        assertThat(walk(
                        place -> turno.tasks().list("report", TaskState.PENDING, Optional.empty(), place, 2),
                        TaskPage::items,
                        TaskPage::next))
                .extracting(task -> task.key().orElseThrow())
                .containsExactlyElementsOf(put);
    }

    private static <P, T> List<T> walk(
            Function<Optional<String>, P> list, Function<P, List<T>> items, Function<P, Optional<String>> next) {
        List<T> found = new ArrayList<>();
        Optional<String> place = Optional.empty();
        do {
            P page = list.apply(place);
            found.addAll(items.apply(page));
            place = next.apply(page);
        } while (place.isPresent() && found.size() < 100);
        return found;
    }

    private static Optional<String> place(String... numbers) {
        return Optional.of(String.join("_", numbers));
    }

    private static void refused(ThrowingCallable list) {
        assertThatThrownBy(list)
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("not a place in this list");
    }
}
