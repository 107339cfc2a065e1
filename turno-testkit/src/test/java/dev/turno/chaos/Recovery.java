package dev.turno.chaos;

import dev.turno.testkit.chaos.Chaos;
import dev.turno.testkit.chaos.Fault;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;

/**
 * How long it takes until what was in somebody's hands goes on: after a process was killed, and after the database came back. A message
 * or task is known by its name; a burst, a run and a lock by that of its key, subject or lock, which has one holder at a time.
 */
final class Recovery implements Chaos.Witness {

    /**
     * How long something waited until it went on.
     *
     * @param meanwhile the faults of that time
     */
    record Wait(String item, Instant since, Duration time, List<String> meanwhile) implements Comparable<Wait> {

        @Override
        public int compareTo(Wait other) {
            return time.compareTo(other.time);
        }

        @Override
        public String toString() {
            return item + " " + time.toMillis() + " ms from " + since + (meanwhile.isEmpty() ? "" : ", " + meanwhile);
        }
    }

    /**
     * In the same hands at two looks.
     *
     * @param seen the second one: what was over by then was just being committed, and did not wait for anybody
     */
    private record InHand(String item, Instant since, Instant seen) {}

    private record Happened(String what, Instant at) {}

    /** By an index: to read all messages there ever were, at the moment of the return, would be a load of its own. */
    private static final String IN_HAND =
            """
            select m.message_id from turno_inbox_setting s
              join turno_inbox m on m.inbox_id = s.id and m.turn_at is not null and m.end_state is null
              join turno_holder h on h.id = m.holder
             where m.state = 'DOING' and (? = '' or h.node = ?)
            union all
            select t.task_key from turno_task_type s
              join turno_task t on t.type_id = s.id and t.turn_at is not null and t.end_state is null
              join turno_holder h on h.id = t.holder
             where t.state = 'DOING' and (? = '' or h.node = ?)
            union all
            select b.buffer_key from turno_buffer b join turno_holder h on h.id = b.holder
             where b.state = 'DOING' and (? = '' or h.node = ?)
            union all
            select r.subject from turno_run r join turno_holder h on h.id = r.holder
             where r.state = 'DOING' and r.completed < $items and (? = '' or h.node = ?)
            union all
            select name from turno_lock where name = '$lock' and lease_id is not null and (? = '' or node = ?)""".replace("$items", Integer.toString(RunWorkload.ITEMS)).replace("$lock", LockWorkload.UNTOUCHED);

    private static final int TRIES = 20;
    private static final Duration BEFORE_ANOTHER_TRY = Duration.ofMillis(250);
    private static final Duration BEFORE_THE_SECOND_LOOK = Duration.ofMillis(100);

    private static final long NODES_IN_IT =
            IN_HAND.chars().filter(c -> c == '?').count();

    private final Chaos chaos;
    private final List<InHand> ofKilled = new ArrayList<>();
    private final List<InHand> ofDatabase = new ArrayList<>();
    private final List<Instant> returns = new ArrayList<>();
    private final List<Duration> absences = new ArrayList<>();
    private Instant left = Instant.MIN;
    private final List<Happened> story = new ArrayList<>();
    private final List<String> unmeasured = new ArrayList<>();

    Recovery(Chaos chaos) {
        this.chaos = chaos;
    }

    @Override
    public void began(Fault fault, String node) {
        story.add(new Happened(fault + " of " + node, Instant.now()));
        if (fault == Fault.KILL || fault == Fault.SKEW) {
            look(ofKilled, node, Instant.now());
        }
        left = Instant.now();
    }

    @Override
    public void over(Fault fault, String node) {
        story.add(new Happened("end of " + fault + " of " + node, Instant.now()));
        if (fault == Fault.DATABASE_KILL || fault == Fault.DISK_FULL) {
            Instant back = Instant.now();
            returns.add(back);
            absences.add(Duration.between(left, back));
            look(ofDatabase, "", back);
        }
    }

    /** When the database came back. */
    List<Instant> returns() {
        return returns;
    }

    /** How long it was away each time: from the fault until it could be asked again. */
    List<Duration> absences() {
        return absences;
    }

    private void look(List<InHand> hands, String node, Instant since) {
        List<String> first = inHand(node);
        if (first.isEmpty()) {
            return;
        }
        LockSupport.parkNanos(BEFORE_THE_SECOND_LOOK.toNanos());
        Instant seen = Instant.now();
        Set<String> still = new HashSet<>(inHand(node)); // empty if it was not answered, which is told
        first.stream().filter(still::contains).forEach(item -> hands.add(new InHand(item, since, seen)));
    }

    /** Until there is an answer: a database that is slow to come back is just what is to be measured. */
    private List<String> inHand(String node) {
        Instant now = Instant.now();
        for (int tries = 1; ; tries++) {
            try {
                return query(node);
            } catch (SQLException away) {
                if (tries == TRIES) {
                    unmeasured.add("a look at " + now + " was not answered: " + away.getMessage());
                    return List.of();
                }
                LockSupport.parkNanos(BEFORE_ANOTHER_TRY.toNanos());
            }
        }
    }

    private List<String> query(String node) throws SQLException {
        List<String> hands = new ArrayList<>();
        try (Connection connection = chaos.dataSource().getConnection();
                PreparedStatement query = connection.prepareStatement(IN_HAND)) {
            for (int i = 1; i <= NODES_IN_IT; i++) {
                query.setString(i, node);
            }
            try (ResultSet row = query.executeQuery()) {
                while (row.next()) {
                    hands.add(row.getString(1));
                }
            }
        }
        return hands;
    }

    /** Sorted. */
    List<Wait> afterKills(Books books) throws SQLException {
        return waits(books, ofKilled);
    }

    /** Sorted. */
    List<Wait> afterDatabaseFaults(Books books) throws SQLException {
        return waits(books, ofDatabase);
    }

    /** Looks that were never answered, and what was in hand and of which nothing more was seen. */
    List<String> unmeasured() {
        return unmeasured;
    }

    /** Until somebody else took it over, or its handler did it after all, or it was accepted. */
    private List<Wait> waits(Books books, List<InHand> hands) throws SQLException {
        Map<String, List<Instant>> begun = books.takeovers();
        for (Workload.Kind kind : Workload.Kind.values()) {
            for (Books.Effect effect : books.effects(kind.word())) {
                begun.computeIfAbsent(inHandAs(kind, effect.item()), any -> new ArrayList<>())
                        .add(effect.at());
            }
        }
        List<Wait> waits = new ArrayList<>();
        for (InHand hand : hands) {
            List<Instant> moments = Stream.concat(
                            begun.getOrDefault(hand.item(), List.of()).stream(),
                            books.accepted(hand.item()).stream().map(Books.Accepted::at))
                    .filter(at -> at.isAfter(hand.since()))
                    .sorted()
                    .toList();
            // One that was committed after the second look may say a moment before it: that of its statement.
            moments.stream()
                    .filter(at -> at.isAfter(hand.seen()))
                    .findFirst()
                    .or(() -> moments.stream().findFirst().map(before -> hand.seen()))
                    .ifPresentOrElse(
                            at -> waits.add(wait(hand, at)),
                            () -> unmeasured.add(hand.item() + " from " + hand.since()));
        }
        Collections.sort(waits);
        return waits;
    }

    private static String inHandAs(Workload.Kind kind, String item) {
        return switch (kind) {
            case INBOX, BATCHED, LANES, ECHO, TASKS -> item;
            case BUFFERS, RUNS, LOCKS -> item.substring(0, item.indexOf('/'));
        };
    }

    private Wait wait(InHand hand, Instant on) {
        List<String> meanwhile = story.stream()
                .filter(one -> one.at().isAfter(hand.since()) && one.at().isBefore(on))
                .map(one -> one.what() + " after "
                        + Duration.between(hand.since(), one.at()).toMillis() + " ms")
                .toList();
        return new Wait(hand.item(), hand.since(), Duration.between(hand.since(), on), meanwhile);
    }
}
