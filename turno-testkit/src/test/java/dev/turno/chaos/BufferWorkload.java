package dev.turno.chaos;

import dev.turno.Turno;
import dev.turno.buffer.BufferMessage;
import dev.turno.buffer.BufferOptions;
import dev.turno.buffer.Buffers;
import dev.turno.buffer.Burst;
import dev.turno.buffer.BurstMessage;
import dev.turno.claim.Result;
import dev.turno.claim.Turn;
import dev.turno.testkit.chaos.Chaos;
import dev.turno.testkit.chaos.ChaosNode;
import dev.turno.worker.FinishMode;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ThreadLocalRandom;
import java.util.stream.Collectors;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/** Messages of a few keys, joined into bursts that are written message by message; some are handed over again. */
final class BufferWorkload implements Workload {

    private static final String NAME = Kind.BUFFERS.word();
    private static final int KEYS = 20;
    private static final int PART = 5;

    private final Set<String> stored = ConcurrentHashMap.newKeySet();
    private @Nullable Buffers buffers;

    private static BufferOptions options() {
        return BufferOptions.of(o -> o.threads(4)
                .quiet(Duration.ofMillis(150))
                .maxWait(Duration.ofMillis(800))
                .maxAttempts(WorkloadNode.ATTEMPTS)
                .backoff(WorkloadNode.QUICK)
                .finish(FinishMode.IN_TRANSACTION));
    }

    @Override
    public void work(ChaosNode node) {
        DataSource ledger = node.newLedger(2);
        Buffers mine = node.turno().buffers(NAME, options());
        buffers = mine;
        node.turno().handle(mine, (burst, turn) -> handOver(ledger, node, burst, turn));
    }

    private static Result handOver(DataSource ledger, ChaosNode node, Burst burst, Turn turn)
            throws SQLException, InterruptedException {
        note(ledger, burst);
        if (ThreadLocalRandom.current().nextInt(10) == 0) {
            return Result.retry("now and then");
        }
        try (Connection connection = node.dataSource().getConnection()) {
            connection.setAutoCommit(false);
            try (PreparedStatement insert = Books.insert(connection)) {
                for (BurstMessage message : burst.messages()) {
                    Books.bind(insert, NAME, message.body(), node.name(), turn.key() + "#" + turn.fence());
                    insert.addBatch();
                }
                insert.executeBatch();
            }
            WorkloadNode.pause(5);
            turn.finishIn(connection);
            WorkloadNode.pause(2);
            connection.commit();
        }
        Commits.say(NAME, turn.key() + "#" + turn.fence());
        return Result.done();
    }

    /** From which message to which it was handed over, by a way of its own. */
    private static void note(DataSource ledger, Burst burst) throws SQLException {
        try (Connection connection = ledger.getConnection();
                PreparedStatement insert = connection.prepareStatement("insert into chaos_burst values (?, ?, ?)")) {
            insert.setString(1, burst.key());
            insert.setInt(2, number(burst.messages().get(0).body()));
            insert.setInt(
                    3, number(burst.messages().get(burst.messages().size() - 1).body()));
            insert.executeUpdate();
        }
    }

    private static int number(String item) {
        return Integer.parseInt(item.substring(item.indexOf('/') + 1));
    }

    @Override
    public void prepare(Chaos chaos, Turno turno) throws SQLException {
        chaos.execute("create table chaos_burst (burst_key varchar(200), first_no integer, last_no integer)");
        buffers = turno.buffers(NAME, options());
    }

    @Override
    public void put(int number) {
        if (buffers != null) {
            buffers.add(key(number), part(number));
        }
    }

    private static String key(int number) {
        return "key-" + number % KEYS;
    }

    private static List<BufferMessage> part(int number) {
        List<BufferMessage> part = new ArrayList<>();
        for (int i = 0; i < PART; i++) {
            String item = key(number) + "/" + (number / KEYS * PART + i);
            part.add(BufferMessage.of(item, item));
        }
        return part;
    }

    @Override
    public int stored(int number) {
        part(number).forEach(message -> stored.add(message.body()));
        return PART;
    }

    @Override
    public Optional<String> waiting() {
        return Optional.of("select count(*) from turno_buffer_message");
    }

    @Override
    public void check(Chaos chaos, Books books, Findings findings) throws SQLException {
        List<String> told = Commits.told(chaos, NAME);
        findings.items(stored.size());
        List<Books.Effect> effects = books.effects(NAME);
        Set<String> seen = new HashSet<>();
        Map<String, Integer> last = new TreeMap<>();
        for (Books.Effect effect : effects) {
            findings.add(Wrong.TWICE, seen.add(effect.item()) ? 0 : 1);
            int number = number(effect.item());
            Integer before = last.put(effect.item().substring(0, effect.item().indexOf('/')), number);
            findings.add(Wrong.OUT_OF_ORDER, number == (before == null ? 0 : before + 1) ? 0 : 1);
        }
        Set<String> turns = effects.stream().map(Books.Effect::turn).collect(Collectors.toSet());
        findings.add(Wrong.GONE, Commits.gone(told, turns));
        Set<String> waiting = new HashSet<>();
        books.rows("select message_id from turno_buffer_message", row -> waiting.add(row.getString(1)));
        for (String item : stored) {
            findings.add(Wrong.STUCK, waiting.contains(item), item);
            findings.add(Wrong.LOST, !waiting.contains(item) && !seen.contains(item), item);
        }
        findings.add(
                Wrong.CALLED_LOST,
                effects.stream()
                        .filter(books::isCalledLost)
                        .map(Books.Effect::turn)
                        .distinct()
                        .count());
        findings.add(Wrong.CHANGED_BURST, changed(books));
    }

    /** Two hand-overs of a key have the same messages or none in common. */
    private static int changed(Books books) throws SQLException {
        Map<String, Set<List<Integer>>> ranges = new HashMap<>();
        books.rows(
                "select distinct burst_key, first_no, last_no from chaos_burst",
                row -> ranges.computeIfAbsent(row.getString(1), any -> new HashSet<>())
                        .add(List.of(row.getInt(2), row.getInt(3))));
        int changed = 0;
        for (Set<List<Integer>> ofKey : ranges.values()) {
            List<List<Integer>> sorted = new ArrayList<>(ofKey);
            sorted.sort((one, other) -> Integer.compare(one.get(0), other.get(0)));
            for (int i = 1; i < sorted.size(); i++) {
                changed += sorted.get(i).get(0) <= sorted.get(i - 1).get(1) ? 1 : 0;
            }
        }
        return changed;
    }
}
