package dev.turno.chaos;

import dev.turno.Turno;
import dev.turno.claim.Result;
import dev.turno.claim.Turn;
import dev.turno.inbox.Inbox;
import dev.turno.inbox.InboxOptions;
import dev.turno.inbox.Message;
import dev.turno.inbox.NewMessage;
import dev.turno.testkit.chaos.Chaos;
import dev.turno.testkit.chaos.ChaosNode;
import dev.turno.worker.FinishMode;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.Function;
import java.util.stream.Collectors;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * Messages of an inbox. Free or in lanes their effects are written in the transaction that finishes them; of those that are finished in
 * batches the effect is written by another way, and may repeat. Of an echo each message puts its answer into the same inbox, from the
 * process that handles it: so answers are put beside workers, most of which have nothing to do.
 */
final class InboxWorkload implements Workload {

    private static final int PART = 25;
    private static final String ANSWER = "/answer";

    private final Kind kind;
    private final Set<String> stored = ConcurrentHashMap.newKeySet();
    private @Nullable Inbox inbox;

    InboxWorkload(Kind kind) {
        this.kind = kind;
    }

    private InboxOptions options() {
        return InboxOptions.of(o -> o.threads(8)
                .batch(100)
                .maxAttempts(WorkloadNode.ATTEMPTS)
                .backoff(WorkloadNode.QUICK)
                .finish(isBatched() ? FinishMode.BATCHED : FinishMode.IN_TRANSACTION));
    }

    private boolean isBatched() {
        return kind == Kind.BATCHED;
    }

    @Override
    public void work(ChaosNode node) {
        Inbox mine = node.turno().inbox(kind.word(), options());
        inbox = mine;
        if (isBatched()) {
            DataSource ledger = node.newLedger(3);
            node.turno().handle(mine, (message, turn) -> note(ledger, node, message, turn));
        } else {
            node.turno().handle(mine, (message, turn) -> {
                if (isAnswered(message.id())) {
                    mine.put(message.id() + ANSWER, "{}");
                }
                return finish(node, message, turn);
            });
        }
    }

    private boolean isAnswered(String id) {
        return kind == Kind.ECHO && !id.endsWith(ANSWER);
    }

    private Result note(DataSource ledger, ChaosNode node, Message message, Turn turn)
            throws SQLException, InterruptedException {
        WorkloadNode.pause(isOneOf(slowOnes(node)) ? 20 : 0);
        try (Connection connection = ledger.getConnection()) {
            write(connection, node, message, turn);
        }
        return Result.done();
    }

    private Result finish(ChaosNode node, Message message, Turn turn) throws SQLException, InterruptedException {
        if (isOneOf(100)) {
            return Result.retry("now and then");
        }
        try (Connection connection = node.dataSource().getConnection()) {
            connection.setAutoCommit(false);
            write(connection, node, message, turn);
            WorkloadNode.pause(kind == Kind.INBOX && isOneOf(slowOnes(node)) ? 2_000 : 3);
            if (isOneOf(2)) {
                turn.commit(connection);
            } else {
                turn.finishIn(connection);
                WorkloadNode.pause(2);
                connection.commit();
            }
        }
        Commits.say(kind.word(), turn(turn));
        return Result.done();
    }

    private static int slowOnes(ChaosNode node) {
        return node.word("slow").map(Integer::parseInt).orElseThrow();
    }

    private static boolean isOneOf(int many) {
        return ThreadLocalRandom.current().nextInt(many) == 0;
    }

    private void write(Connection connection, ChaosNode node, Message message, Turn turn) throws SQLException {
        Books.write(connection, kind.word(), message.id(), node.name(), turn(turn));
    }

    private static String turn(Turn turn) {
        return turn.key() + "#" + turn.fence();
    }

    @Override
    public void prepare(Chaos chaos, Turno turno) {
        inbox = turno.inbox(kind.word(), options());
    }

    @Override
    public void put(int number) {
        if (inbox != null) {
            inbox.putAll(part(number));
        }
    }

    private List<NewMessage> part(int number) {
        List<NewMessage> part = new ArrayList<>();
        for (int i = 0; i < PART; i++) {
            NewMessage message = NewMessage.of(kind.word() + "-" + i + "/" + number, "{}");
            part.add(kind == Kind.LANES ? message.inOrderOf("lane-" + i) : message);
        }
        return part;
    }

    @Override
    public int stored(int number) {
        for (NewMessage message : part(number)) {
            stored.add(message.id());
            if (isAnswered(message.id())) {
                stored.add(message.id() + ANSWER);
            }
        }
        return PART;
    }

    @Override
    public Optional<String> waiting() {
        return Optional.of("select count(*) from turno_inbox m join turno_inbox_setting s on s.id = m.inbox_id"
                + " where s.inbox = '" + kind.word() + "' and m.turn_at is not null and m.end_state is null");
    }

    @Override
    public void check(Chaos chaos, Books books, Findings findings) throws SQLException {
        List<String> told = Commits.told(chaos, kind.word());
        findings.items(stored.size());
        Map<String, List<Books.Effect>> effects = new HashMap<>();
        List<Books.Effect> inOrder = books.effects(kind.word());
        inOrder.forEach(effect ->
                effects.computeIfAbsent(effect.item(), any -> new ArrayList<>()).add(effect));
        Map<String, String> states = new HashMap<>();
        books.rows(
                "select m.message_id, m.state from turno_inbox m join turno_inbox_setting s on s.id = m.inbox_id"
                        + " where s.inbox = '" + kind.word() + "'",
                row -> states.put(row.getString(1), row.getString(2)));
        for (String item : stored) {
            check(item, effects.getOrDefault(item, List.of()), states, books, findings);
        }
        Set<String> turns = inOrder.stream().map(Books.Effect::turn).collect(Collectors.toSet());
        findings.add(Wrong.GONE, Commits.gone(told, turns));
        if (kind == Kind.LANES) {
            findings.add(Wrong.OUT_OF_ORDER, outOfOrder(inOrder, books::accepted));
        }
    }

    private void check(
            String item, List<Books.Effect> effects, Map<String, String> states, Books books, Findings findings) {
        List<Books.Accepted> accepted = books.accepted(item);
        String state = states.get(item);
        String known = item + " is " + state + ", effects " + effects + ", accepted " + accepted;
        boolean stuck = "PENDING".equals(state) || "DOING".equals(state);
        findings.add(Wrong.GONE, state == null, known);
        findings.add(Wrong.STUCK, stuck, known);
        findings.add(Wrong.LOST, !stuck && (effects.isEmpty() || !"DONE".equals(state) || accepted.isEmpty()), known);
        findings.add(Wrong.ACCEPTED_TWICE, accepted.size() > 1, known);
        if (isBatched()) {
            findings.add(Wrong.STALE_ACCEPTED, isOfAnother(effects, accepted), known);
        } else {
            findings.add(Wrong.TWICE, effects.size() > 1, known);
            findings.add(Wrong.STALE_ACCEPTED, isStale(effects, accepted), known);
            findings.add(
                    Wrong.CALLED_LOST,
                    effects.stream().filter(books::isCalledLost).count());
        }
    }

    /** What stands was written by a process in whose hands the message was not. */
    static boolean isStale(List<Books.Effect> effects, List<Books.Accepted> accepted) {
        return effects.size() == 1
                && accepted.size() == 1
                && !effects.get(0).node().equals(accepted.get(0).node());
    }

    /** It was accepted from a process that had not yet handled it: the result was another one's. */
    static boolean isOfAnother(List<Books.Effect> effects, List<Books.Accepted> accepted) {
        return accepted.stream()
                .anyMatch(one -> effects.stream()
                        .noneMatch(effect ->
                                effect.node().equals(one.node()) && !effect.at().isAfter(one.at())));
    }

    /** Each is begun when the one before it was accepted, and not earlier. */
    static int outOfOrder(List<Books.Effect> effects, Function<String, List<Books.Accepted>> accepted) {
        Map<String, Books.Effect> last = new TreeMap<>();
        int wrong = 0;
        for (Books.Effect effect : effects) {
            int slash = effect.item().indexOf('/');
            Books.Effect before = last.put(effect.item().substring(0, slash), effect);
            boolean isNext = number(effect) == (before == null ? 0 : number(before) + 1);
            wrong += isNext && (before == null || !isBeforeAny(effect, accepted.apply(before.item()))) ? 0 : 1;
        }
        return wrong;
    }

    private static int number(Books.Effect effect) {
        return Integer.parseInt(effect.item().substring(effect.item().indexOf('/') + 1));
    }

    private static boolean isBeforeAny(Books.Effect effect, List<Books.Accepted> ends) {
        return ends.stream().anyMatch(end -> effect.at().isBefore(end.at()));
    }
}
