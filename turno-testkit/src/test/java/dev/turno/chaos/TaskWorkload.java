package dev.turno.chaos;

import dev.turno.Turno;
import dev.turno.claim.Result;
import dev.turno.claim.Turn;
import dev.turno.task.NewTask;
import dev.turno.task.Task;
import dev.turno.task.TaskOptions;
import dev.turno.task.Tasks;
import dev.turno.testkit.chaos.Chaos;
import dev.turno.testkit.chaos.ChaosNode;
import dev.turno.worker.FinishMode;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Tasks for instants of the next seconds, whose effects are written in the transaction that finishes them. */
final class TaskWorkload implements Workload {

    private static final String NAME = Kind.TASKS.word();
    private static final int PART = 20;
    private static final int SHARED = 300;
    private static final int UNEVEN_BY = 3;
    private static final Set<String> OPEN = Set.of("PENDING", "ASSIGNED", "DOING");
    private static final Duration AHEAD = Duration.ofSeconds(20);
    private static final Duration PATIENCE = Duration.ofSeconds(15);

    /** The clock of the database is known to a process as well as the way to it is quick. */
    private static final Duration KNOWN_TO = Duration.ofMillis(100);

    private final Set<String> stored = ConcurrentHashMap.newKeySet();
    private @Nullable Tasks tasks;

    @Override
    public void work(ChaosNode node) {
        TaskOptions options = TaskOptions.of(o -> o.threads(8)
                .maxAttempts(WorkloadNode.ATTEMPTS)
                .backoff(WorkloadNode.QUICK)
                .finish(FinishMode.IN_TRANSACTION));
        node.turno().handleTasks(NAME, options, (task, turn) -> finish(node, task, turn));
        tasks = node.turno().tasks();
    }

    private static Result finish(ChaosNode node, Task task, Turn turn) throws SQLException, InterruptedException {
        try (Connection connection = node.dataSource().getConnection()) {
            connection.setAutoCommit(false);
            Books.write(connection, NAME, task.key().orElseThrow(), node.name(), turn.key() + "#" + turn.fence());
            WorkloadNode.pause(3);
            turn.finishIn(connection);
            connection.commit();
        }
        Commits.say(NAME, turn.key() + "#" + turn.fence());
        return Result.done();
    }

    @Override
    public void prepare(Chaos chaos, Turno turno) {
        tasks = turno.tasks();
    }

    @Override
    public void put(int number) {
        schedule(part(number));
    }

    private static List<NewTask> part(int number) {
        List<NewTask> part = new ArrayList<>();
        for (int i = 0; i < PART; i++) {
            part.add(task(NAME + "-" + number + "-" + i, Duration.ofMillis(300 + 140L * i)));
        }
        return part;
    }

    private static NewTask task(String key, Duration in) {
        return NewTask.in(NAME, "{}", in).withKey(key, NewTask.IfThere.KEEP);
    }

    private void schedule(List<NewTask> part) {
        if (tasks != null) {
            tasks.scheduleAll(part);
        }
    }

    @Override
    public int stored(int number) {
        return stored(part(number));
    }

    private int stored(List<NewTask> part) {
        part.forEach(task -> stored.add(task.key().orElseThrow()));
        return part.size();
    }

    @Override
    public Optional<String> waiting() {
        return Optional.of("select count(*) from turno_task m join turno_task_type s on s.id = m.type_id"
                + " where m.turn_at is not null and m.end_state is null");
    }

    /** With all processes alive, the tasks of an instant ahead are shared out evenly. */
    @Override
    public void calm(Chaos chaos, Findings findings) throws Exception {
        List<NewTask> ahead = new ArrayList<>();
        for (int i = 0; i < SHARED; i++) {
            ahead.add(task(NAME + "-shared-" + i, AHEAD));
        }
        schedule(ahead);
        stored(ahead);
        long until = System.nanoTime() + PATIENCE.toNanos();
        Map<String, Integer> shares = shares(chaos);
        while (!isEven(shares, chaos.nodes()) && System.nanoTime() - until < 0) {
            Thread.sleep(200);
            shares = shares(chaos);
        }
        findings.add(Wrong.UNEVEN, isEven(shares, chaos.nodes()) ? 0 : 1);
    }

    private static boolean isEven(Map<String, Integer> shares, int nodes) {
        return shares.size() == nodes
                && Collections.max(shares.values()) - Collections.min(shares.values()) <= UNEVEN_BY
                && shares.values().stream().mapToInt(n -> n).sum() == SHARED;
    }

    private static Map<String, Integer> shares(Chaos chaos) throws SQLException {
        Map<String, Integer> shares = new HashMap<>();
        try (Connection connection = chaos.dataSource().getConnection();
                Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery("select h.node, count(*) from turno_task t join turno_holder h"
                        + " on h.id = t.assigned_to where t.state = 'ASSIGNED' and t.task_key like '" + NAME
                        + "-shared-%' group by h.node")) {
            while (row.next()) {
                shares.put(row.getString(1), row.getInt(2));
            }
        }
        return shares;
    }

    @Override
    public void check(Chaos chaos, Books books, Findings findings) throws SQLException {
        List<String> told = Commits.told(chaos, NAME);
        findings.items(stored.size());
        Map<String, Instant> instants = new HashMap<>();
        Map<String, String> states = new HashMap<>();
        books.rows("select task_key, state, task_at from turno_task", row -> {
            instants.put(row.getString(1), Books.instant(row, 3));
            states.put(row.getString(1), row.getString(2));
        });
        Map<String, List<Books.Effect>> effects = new HashMap<>();
        for (Books.Effect effect : books.effects(NAME)) {
            effects.computeIfAbsent(effect.item(), any -> new ArrayList<>()).add(effect);
            Instant at = instants.get(effect.item());
            findings.add(Wrong.EARLY, at != null && effect.at().isBefore(at.minus(KNOWN_TO)) ? 1 : 0);
        }
        Set<String> turns = books.effects(NAME).stream().map(Books.Effect::turn).collect(Collectors.toSet());
        findings.add(Wrong.GONE, Commits.gone(told, turns));
        for (String item : stored) {
            List<Books.Effect> own = effects.getOrDefault(item, List.of());
            List<Books.Accepted> accepted = books.accepted(item);
            String state = states.get(item);
            String known = item + " is " + state + ", effects " + own + ", accepted " + accepted;
            boolean stuck = OPEN.contains(String.valueOf(state));
            findings.add(Wrong.GONE, state == null, known);
            findings.add(Wrong.STUCK, stuck, known);
            findings.add(Wrong.LOST, !stuck && (own.isEmpty() || !"DONE".equals(state)), known);
            findings.add(Wrong.TWICE, own.size() > 1, known);
            findings.add(Wrong.ACCEPTED_TWICE, accepted.size() > 1, known);
            findings.add(Wrong.STALE_ACCEPTED, InboxWorkload.isStale(own, accepted), known);
            findings.add(
                    Wrong.CALLED_LOST, own.stream().filter(books::isCalledLost).count());
        }
    }
}
