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
import java.util.List;
import java.util.Map;

/** How long it takes until what was in somebody's hands goes on: after a process was killed, and after the database came back. */
final class Recovery implements Chaos.Witness {

    private record InHand(String item, Instant since) {}

    private static final String DOING =
            " from turno_inbox t join turno_holder h on h.id = t.holder where t.state = 'DOING' and (? = '' or h.node = ?)";

    private final Chaos chaos;
    private final List<InHand> ofKilled = new ArrayList<>();
    private final List<InHand> ofDatabase = new ArrayList<>();
    private final List<Instant> returns = new ArrayList<>();

    Recovery(Chaos chaos) {
        this.chaos = chaos;
    }

    @Override
    public void began(Fault fault, String node) {
        if (fault == Fault.KILL || fault == Fault.SKEW) {
            look(ofKilled, node, Instant.now());
        }
    }

    @Override
    public void over(Fault fault, String node) {
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
                PreparedStatement query = connection.prepareStatement("select t.message_id" + DOING)) {
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

    List<Duration> afterKills(Books books) throws SQLException {
        return times(books, ofKilled);
    }

    List<Duration> afterDatabaseFaults(Books books) throws SQLException {
        return times(books, ofDatabase);
    }

    /** Until somebody else took it over, or its handler did it after all. */
    private static List<Duration> times(Books books, List<InHand> hands) throws SQLException {
        Map<String, List<Instant>> begun = books.takeovers();
        for (Workload.Kind kind : List.of(Workload.Kind.INBOX, Workload.Kind.BATCHED, Workload.Kind.LANES)) {
            books.effects(kind.word())
                    .forEach(effect -> begun.computeIfAbsent(effect.item(), any -> new ArrayList<>())
                            .add(effect.at()));
        }
        List<Duration> times = new ArrayList<>();
        for (InHand hand : hands) {
            begun.getOrDefault(hand.item(), List.of()).stream()
                    .filter(at -> at.isAfter(hand.since()))
                    .min(Instant::compareTo)
                    .ifPresent(at -> times.add(Duration.between(hand.since(), at)));
        }
        times.sort(Duration::compareTo);
        return times;
    }
}
