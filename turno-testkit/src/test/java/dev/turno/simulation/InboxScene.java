package dev.turno.simulation;

import dev.turno.Turno;
import dev.turno.claim.HolderId;
import dev.turno.inbox.Inbox;
import dev.turno.inbox.InboxOptions;
import dev.turno.inbox.Message;
import dev.turno.inbox.NewMessage;
import java.sql.SQLException;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/** Messages of an inbox; in lanes, in a limited number of slots, or free. Somebody cancels some of them. */
final class InboxScene implements World.Scene {

    private static final int MESSAGES = 9;

    private final Optional<Integer> slots;
    private final int lanes;
    private final InboxOptions options;
    private final Map<Integer, Inbox> inboxes = new HashMap<>();

    /** @param lanes none if zero */
    InboxScene(Optional<Integer> slots, int lanes) {
        this.slots = slots;
        this.lanes = lanes;
        this.options = InboxOptions.of(o -> {
            o.maxRun(World.MAX_RUN);
            slots.ifPresent(o::concurrency);
        });
    }

    @Override
    public void open(World.Node node, Turno turno) {
        inboxes.put(node.index, turno.inbox("simulated", options));
    }

    @Override
    public void work(World.Node node) throws Exception {
        Inbox inbox = Objects.requireNonNull(inboxes.get(node.index));
        HolderId holder = node.turno().holder();
        node.giveBackUnknown(inbox.rows());
        List<World.Claimed<Message>> claimed = node.take(
                holder,
                one -> options.work().longestClaim(),
                () -> inbox.take(holder, 1 + node.index),
                one -> one.row().id(),
                one -> one.row().id(),
                one -> List.of());
        node.handle(inbox.rows(), claimed);
    }

    @Override
    public void cast(World world) {
        for (String name : List.of("a", "b")) {
            world.actor("producer-" + name, turno -> {
                Inbox inbox = world.scheduler.quietly(() -> turno.inbox("simulated", options));
                for (int i = 0; i < MESSAGES / 2; i++) {
                    put(world, inbox, name + i);
                    world.scheduler.sleep(world.upTo(Duration.ofSeconds(2)));
                }
            });
        }
        world.actor("operator", turno -> {
            Inbox inbox = world.scheduler.quietly(() -> turno.inbox("simulated", options));
            for (int i = 0; i < 12; i++) {
                world.scheduler.sleep(world.upTo(Duration.ofSeconds(2)));
                cancel(world, inbox);
            }
        });
    }

    private void put(World world, Inbox inbox, String id) throws Exception {
        Optional<String> lane = lanes == 0 ? Optional.empty() : Optional.of("lane-" + world.dice.nextInt(lanes));
        NewMessage message = NewMessage.of(id, "{}");
        NewMessage placed = lane.map(message::inOrderOf).orElse(message);
        world.ledger.put(id, lane, world.until(() -> inbox.put(placed)));
    }

    /** Now and then any message; gladly one whose holder is about to repeat what it said of it. */
    private static void cancel(World world, Inbox inbox) throws Exception {
        List<String> unanswered = world.ledger.unanswered();
        List<String> items = unanswered.isEmpty() && world.happens(200)
                ? world.ledger.items().stream().sorted().toList()
                : unanswered;
        if (!items.isEmpty()) {
            String item = items.get(world.dice.nextInt(items.size()));
            long seq = world.until(() -> inbox.cancel(item));
            if (seq != Ledger.NEVER) {
                world.ledger.cancelled(item, seq);
            }
        }
    }

    @Override
    public String open() {
        return "select id, state from turno_inbox where end_state is null";
    }

    @Override
    public int check(World world) throws SQLException {
        Map<String, String> found = world.stage.look("select message_id, state from turno_inbox");
        for (String item : world.ledger.items()) {
            String state = found.getOrDefault(item, "gone");
            if (!state.equals("DONE") && !state.equals("DEAD") && !state.equals("CANCELLED")) {
                world.ledger.wrong("in the end " + item + " is " + state);
            }
        }
        return slots.orElse(Integer.MAX_VALUE);
    }
}
