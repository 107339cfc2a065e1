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
import java.util.List;
import java.util.Map;

/** How long it takes until what was in somebody's hands goes on: after a process was killed, and after the database came back. */
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

    private record InHand(String item, Instant since) {}

    private record Happened(String what, Instant at) {}

    /** By an index: to read all messages there ever were, at the moment of the return, would be a load of its own. */
    private static final String IN_HAND = """
            select m.message_id from turno_inbox_setting s join turno_inbox m on m.inbox_id = s.id and m.end_state is null
              join turno_holder h on h.id = m.holder
             where m.state = 'DOING' and (? = '' or h.node = ?)""";

    private final Chaos chaos;
    private final List<InHand> ofKilled = new ArrayList<>();
    private final List<InHand> ofDatabase = new ArrayList<>();
    private final List<Instant> returns = new ArrayList<>();
    private final List<Happened> story = new ArrayList<>();

    Recovery(Chaos chaos) {
        this.chaos = chaos;
    }

    @Override
    public void began(Fault fault, String node) {
        story.add(new Happened(fault + " of " + node, Instant.now()));
        if (fault == Fault.KILL || fault == Fault.SKEW) {
            look(ofKilled, node, Instant.now());
        }
    }

    @Override
    public void over(Fault fault, String node) {
        story.add(new Happened("end of " + fault + " of " + node, Instant.now()));
        if (fault == Fault.DATABASE_KILL || fault == Fault.DISK_FULL) {
            Instant back = Instant.now();
            returns.add(back);
            look(ofDatabase, "", back);
        }
    }

    /** When the database came back. */
    List<Instant> returns() {
        return returns;
    }

    private void look(List<InHand> hands, String node, Instant now) {
        try (Connection connection = chaos.dataSource().getConnection();
                PreparedStatement query = connection.prepareStatement(IN_HAND)) {
            query.setString(1, node);
            query.setString(2, node);
            try (ResultSet row = query.executeQuery()) {
                while (row.next()) {
                    hands.add(new InHand(row.getString(1), now));
                }
            }
        } catch (SQLException away) {
            // This one is not measured.
        }
    }

    /** Sorted. */
    List<Wait> afterKills(Books books) throws SQLException {
        return waits(books, ofKilled);
    }

    /** Sorted. */
    List<Wait> afterDatabaseFaults(Books books) throws SQLException {
        return waits(books, ofDatabase);
    }

    /** Until somebody else took it over, or its handler did it after all. */
    private List<Wait> waits(Books books, List<InHand> hands) throws SQLException {
        Map<String, List<Instant>> begun = books.takeovers();
        for (Workload.Kind kind : List.of(Workload.Kind.INBOX, Workload.Kind.BATCHED, Workload.Kind.LANES)) {
            books.effects(kind.word())
                    .forEach(effect -> begun.computeIfAbsent(effect.item(), any -> new ArrayList<>())
                            .add(effect.at()));
        }
        List<Wait> waits = new ArrayList<>();
        for (InHand hand : hands) {
            begun.getOrDefault(hand.item(), List.of()).stream()
                    .filter(at -> at.isAfter(hand.since()))
                    .min(Instant::compareTo)
                    .ifPresent(at -> waits.add(wait(hand, at)));
        }
        Collections.sort(waits);
        return waits;
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
