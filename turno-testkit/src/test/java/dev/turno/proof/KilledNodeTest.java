package dev.turno.proof;

import static org.assertj.core.api.Assertions.assertThat;

import dev.turno.inbox.NewMessage;
import dev.turno.testkit.database.FreshDatabase;
import dev.turno.testkit.database.OnEveryDatabase;
import dev.turno.testkit.process.ChildProcess;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("alone")
@OnEveryDatabase(onServer = true)
class KilledNodeTest {

    private static final int IN_HAND = 200;
    private static final int ROUNDS = Scale.of(1, 10);
    private static final Duration BOUND = Stage.LEASE.plus(Stage.POLL).plusSeconds(1);

    private final FreshDatabase database;

    KilledNodeTest(FreshDatabase database) {
        this.database = database;
    }

    @Test
    void what_a_killed_node_had_in_its_hands_is_handled_again_within_lease_and_poll_and_a_second() throws Exception {
        try (Stage stage = Stage.on(database)) {
            ChildProcess survivor = stage.node("survivor", "does=gate");
            List<Long> millis = new ArrayList<>();
            boolean inTime = true;
            for (int round = 0; round < ROUNDS; round++) {
                String inbox = "round-" + round + "-";
                inTime &= Repeated.holds(number -> {
                    List<Long> recovered = kill(stage, survivor, inbox + number);
                    millis.addAll(recovered);
                    return recovered.stream().allMatch(each -> each < BOUND.toMillis());
                });
            }

            assertThat(stage.accepted())
                    .allSatisfy((id, times) -> assertThat(times).isEqualTo(1));
            Figures.say(
                    "kill",
                    database.kind(),
                    ROUNDS + " x " + IN_HAND + " in hand, recovered in " + Figures.spread(millis) + " (bound "
                            + BOUND.toMillis() + "), lost 0, accepted twice 0");
            assertThat(inTime).as("recovered in %s ms", millis).isTrue();
        }
    }

    /**
     * Kills a node with its hands full, while the survivor is busy with newer messages; answers after how many milliseconds it
     * has begun each of the older ones.
     */
    private static List<Long> kill(Stage stage, ChildProcess survivor, String inbox) throws Exception {
        ChildProcess victim = stage.node("victim-" + inbox, "does=gate", "threads=" + IN_HAND, "inbox=" + inbox);
        Stage.ready(victim);
        List<String> inHand =
                IntStream.range(0, IN_HAND).mapToObj(n -> inbox + "-" + n).toList();
        stage.inbox(inbox)
                .putAll(inHand.stream()
                        .map(id -> NewMessage.of(id, GateHandler.PATIENT))
                        .toList());
        Stage.until(() -> stage.ledger().of("victim-" + inbox).size() == IN_HAND);
        survivor.send("handle " + inbox);
        survivor.send("open");
        try (Producer producer = Producer.start(stage.inbox(inbox))) {
            // Who has not renewed for a whole lease declares nobody dead.
            Thread.sleep(Stage.LEASE.plusMillis(500).toMillis());

            long killedAt = System.currentTimeMillis();
            victim.kill9();
            Thread.sleep(BOUND.toMillis());
            producer.close();
            Stage.until(() -> stage.doneIn(inbox) == IN_HAND + producer.stored().size());

            List<Ledger.Entry> again = stage.ledger().of("survivor").stream()
                    .filter(entry -> inHand.contains(entry.id()))
                    .toList();
            assertThat(again).extracting(Ledger.Entry::id).containsExactlyInAnyOrderElementsOf(inHand);
            return again.stream().map(entry -> entry.atMillis() - killedAt).toList();
        }
    }
}
