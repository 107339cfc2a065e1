package dev.turno.simulation;

import dev.turno.Turno;
import dev.turno.buffer.BufferMessage;
import dev.turno.buffer.BufferOptions;
import dev.turno.buffer.Buffers;
import dev.turno.buffer.Burst;
import dev.turno.claim.HolderId;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;

/** Two keys of a buffer, to which two senders add beside each other. */
final class BufferScene implements World.Scene {

    private static final int MESSAGES = 7;

    private final BufferOptions options = BufferOptions.of(o -> o.quiet(Duration.ofMillis(700))
            .maxWait(Duration.ofSeconds(2))
            .maxCount(3)
            .maxRun(World.MAX_RUN));
    private final Map<Integer, Buffers> buffers = new HashMap<>();
    private final Map<String, TreeMap<Long, String>> added = new HashMap<>();

    @Override
    public void open(World.Node node, Turno turno) {
        buffers.put(node.index, turno.buffers("simulated", options));
    }

    @Override
    public void work(World.Node node) throws Exception {
        Buffers buffer = Objects.requireNonNull(buffers.get(node.index));
        HolderId holder = node.turno().holder();
        node.giveBackUnknown(buffer.rows());
        List<World.Claimed<Burst>> claimed = node.take(
                holder,
                one -> options.work().longestClaim(),
                () -> buffer.rows().take(holder, 1 + node.index),
                one -> one.row().key(),
                one -> one.key(),
                one -> one.row().messages().stream()
                        .map(message -> message.body())
                        .toList());
        node.handle(buffer.rows(), claimed);
    }

    @Override
    public void cast(World world) {
        for (String name : List.of("a", "b")) {
            world.actor("sender-" + name, turno -> {
                Buffers buffer = world.scheduler.quietly(() -> turno.buffers("simulated", options));
                for (int i = 0; i < MESSAGES; i++) {
                    String key = "key-" + world.dice.nextInt(2);
                    BufferMessage message = BufferMessage.of(name + i, name + i);
                    long seq = world.until(() -> buffer.add(key, message));
                    added.computeIfAbsent(key, any -> new TreeMap<>()).put(seq, message.body());
                    world.scheduler.sleep(world.upTo(Duration.ofMillis(1_500)));
                }
            });
        }
    }

    @Override
    public String open() {
        return "select id, state from turno_buffer where state <> 'IDLE'";
    }

    @Override
    public int check(World world) throws SQLException {
        Map<String, List<String>> inOrder = new TreeMap<>();
        added.forEach((key, messages) -> inOrder.put(key, new ArrayList<>(messages.values())));
        world.ledger.checkBursts(inOrder);
        return Integer.MAX_VALUE;
    }
}
