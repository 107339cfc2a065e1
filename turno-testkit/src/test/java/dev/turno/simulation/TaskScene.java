package dev.turno.simulation;

import dev.turno.Turno;
import dev.turno.claim.ClaimableRows;
import dev.turno.claim.HolderId;
import dev.turno.claim.Taken;
import dev.turno.task.NewTask;
import dev.turno.task.Task;
import dev.turno.task.TaskOptions;
import dev.turno.task.Tasks;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.Callable;

/** Tasks for a few instants, shared out over nodes that come and go; some are put off. */
final class TaskScene implements World.Scene {

    private static final String TYPE = "simulated";
    private static final int TASKS = 10;
    private static final Duration AHEAD = Duration.ofMillis(1_500);
    private static final Duration MARGIN = Duration.ofSeconds(2);

    private final TaskOptions options = TaskOptions.of(o -> o.maxRun(World.MAX_RUN));
    private final boolean putsOff;
    private final Instant start;
    private final Map<Integer, HolderId> announced = new HashMap<>();
    private final Map<Integer, List<Taken<Task>>> memory = new HashMap<>();

    TaskScene(boolean putsOff, Instant start) {
        this.putsOff = putsOff;
        this.start = start;
    }

    @Override
    public void open(World.Node node, Turno turno) {
        announced.remove(node.index);
        memory.put(node.index, List.of());
    }

    @Override
    public void work(World.Node node) throws Exception {
        Tasks tasks = node.turno().tasks();
        HolderId holder = node.turno().holder();
        ClaimableRows<Task> rows = tasks.rows(TYPE, options);
        if (!holder.equals(announced.get(node.index))) {
            tasks.canRun(TYPE, holder);
            announced.put(node.index, holder);
            memory.put(node.index, List.of());
        }
        node.giveBackUnknown(rows);
        if (node.happens(400)) {
            tasks.preAssign(Tasks.WINDOW);
        }
        arm(node, tasks, holder, rows);
        node.handle(rows, take(node, holder, () -> rows.take(holder, 2)));
    }

    /** Arms what was loaded in an earlier round, so that it may have changed since; starts it on the dot. */
    private void arm(World.Node node, Tasks tasks, HolderId holder, ClaimableRows<Task> rows) throws Exception {
        List<Taken<Task>> loaded = memory.getOrDefault(node.index, List.of());
        memory.put(node.index, List.of());
        List<World.Claimed<Task>> armed =
                loaded.isEmpty() ? List.of() : take(node, holder, () -> tasks.arm(TYPE, options, holder, loaded));
        memory.put(node.index, tasks.preload(TYPE, options, holder, AHEAD, TASKS));
        for (World.Claimed<Task> one : armed) {
            node.sleepUntil(one.taken().row().at());
            node.handle(rows, List.of(one));
        }
    }

    private List<World.Claimed<Task>> take(World.Node node, HolderId holder, Callable<List<Taken<Task>>> asking)
            throws Exception {
        Instant asked = node.now();
        return node.take(
                holder,
                one -> lasts(one, asked),
                asking,
                one -> one.row().key().orElseThrow(),
                one -> one.row().key().orElseThrow(),
                one -> List.of());
    }

    /** What is armed late lasts as long as if it had been armed in time. */
    private Duration lasts(Taken<Task> one, Instant asked) {
        Duration late = Duration.between(one.row().at(), asked);
        Duration longest = options.work().longestClaim();
        return late.isNegative() ? longest : longest.minus(late);
    }

    @Override
    public void cast(World world) {
        world.actor("scheduler", turno -> {
            List<Long> ids = new ArrayList<>();
            for (int i = 0; i < TASKS; i++) {
                ids.add(schedule(world, turno.tasks(), "task-" + i));
                world.scheduler.sleep(world.upTo(Duration.ofMillis(300)));
            }
            for (int i = 0; putsOff && i < 3; i++) {
                world.scheduler.sleep(world.upTo(Duration.ofSeconds(4)));
                putOff(world, turno.tasks(), world.dice.nextInt(TASKS), ids);
            }
        });
        if (!putsOff) {
            world.actor("auditor", turno -> {
                for (int i = 0; i < 4; i++) {
                    world.scheduler.sleep(world.upTo(Duration.ofSeconds(5)));
                    audit(world, turno.tasks());
                }
            });
        }
    }

    private long schedule(World world, Tasks tasks, String key) throws Exception {
        Instant at = start.plusSeconds(6 + 5L * world.dice.nextInt(3));
        NewTask task = NewTask.at(TYPE, "{}", at).withKey(key, NewTask.IfThere.KEEP);
        long[] id = new long[1];
        long seq = world.until(() -> id[0] = tasks.schedule(task).id());
        world.ledger.put(key, Optional.empty(), seq);
        world.ledger.dueAt(key, Duration.between(start, at).toNanos());
        return id[0];
    }

    private void putOff(World world, Tasks tasks, int number, List<Long> ids) throws Exception {
        Instant at = start.plusSeconds(24);
        long seq = world.until(() -> tasks.reschedule(ids.get(number), at));
        if (seq != Ledger.NEVER) {
            world.ledger.dueAt("task-" + number, Duration.between(start, at).toNanos());
        }
    }

    /** Shares out while nobody else runs: then all who live have equally many at each instant, or one more. */
    private static void audit(World world, Tasks tasks) throws Exception {
        try {
            world.scheduler.quietly(() -> {
                if (world.stage
                        .look("select type, assigner from turno_task_type where assigner is not null")
                        .isEmpty()) {
                    tasks.preAssign(Tasks.WINDOW);
                    checkShares(world);
                }
                return true;
            });
        } catch (IllegalStateException e) {
            // Somebody stands still in a transaction and has rows locked.
        }
    }

    private static void checkShares(World world) throws SQLException {
        String now = "timestamp with time zone '" + world.time.now().orElseThrow() + "'";
        Map<String, String> runners =
                world.stage.look("select r.holder, 0 from turno_task_runner r join turno_holder h on h.id = r.holder"
                        + " where h.reaped_at is null and h.lease_until > " + now);
        Map<String, String> counts = world.stage.look("select task_at || '/' || assigned_to, count(*) from turno_task"
                + " where state = 'ASSIGNED' and task_at > dateadd(second, " + MARGIN.toSeconds() + ", " + now + ")"
                + " group by task_at, assigned_to");
        Map<String, Map<String, Integer>> byInstant = new TreeMap<>();
        counts.forEach((place, count) -> {
            String[] parts = place.split("/", 2);
            if (runners.containsKey(parts[1])) {
                byInstant.computeIfAbsent(parts[0], at -> new HashMap<>()).put(parts[1], Integer.valueOf(count));
            }
        });
        byInstant.forEach((at, shares) -> {
            int least = shares.size() < runners.size()
                    ? 0
                    : shares.values().stream().mapToInt(n -> n).min().orElse(0);
            int most = shares.values().stream().mapToInt(n -> n).max().orElse(0);
            if (most - least > 1) {
                world.ledger.wrong("uneven shares at " + at + ": " + shares + " of " + runners.size() + " runners");
            }
        });
    }

    @Override
    public String open() {
        return "select id, state from turno_task where end_state is null";
    }

    @Override
    public int check(World world) {
        return Integer.MAX_VALUE;
    }
}
