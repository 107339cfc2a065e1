package dev.turno.chaos;

import dev.turno.Turno;
import dev.turno.claim.ClaimLostException;
import dev.turno.lock.Lease;
import dev.turno.lock.LockTerms;
import dev.turno.lock.Locks;
import dev.turno.testkit.chaos.Chaos;
import dev.turno.testkit.chaos.ChaosNode;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Locks over numbers. Whoever has a lock reads its number, waits, and writes the next one in a guarded transaction, without looking again:
 * two holders at once would write the same. Now and then a person releases one under its holder's hands: only the guard knows of that.
 */
final class LockWorkload implements Workload {

    static final String REFUSED = "guard refused ";
    private static final String NAME = Kind.LOCKS.word();
    private static final int LOCKS = 3;

    /** Nobody takes this one away: whoever holds it holds it until it lapses. */
    static final String UNTOUCHED = "lock-" + (LOCKS - 1);

    private static final String ROBBED = "robbed of ";
    private static final LockTerms TERMS = LockTerms.of(
            t -> t.lease(Duration.ofSeconds(3)).waitUpTo(Duration.ofSeconds(1)).cleanUp(false));

    private @Nullable Locks locks;

    @Override
    public void work(ChaosNode node) {
        Locks mine = node.turno().locks(TERMS);
        locks = mine;
        for (int i = 0; i < LOCKS; i++) {
            String name = "lock-" + i;
            Thread thread = new Thread(() -> hammer(node, mine, name), name);
            thread.setDaemon(true);
            thread.start();
        }
    }

    @SuppressWarnings("InfiniteLoopStatement") // until its process ends
    private static void hammer(ChaosNode node, Locks locks, String name) {
        while (true) {
            try {
                Thread.sleep(5);
                locks.whileHolding(name, TERMS, lease -> {
                    count(node, name, lease);
                    return true;
                });
            } catch (Exception again) {
                // The database is away, or the lock was lost meanwhile.
            }
        }
    }

    private static void count(ChaosNode node, String name, Lease lease) throws SQLException, InterruptedException {
        try (Connection connection = node.dataSource().getConnection()) {
            long next = 1 + read(connection, name);
            WorkloadNode.pause(10);
            connection.setAutoCommit(false);
            Books.write(connection, NAME, name + "/" + next, node.name(), "");
            WorkloadNode.pause(3);
            guard(lease, connection, name);
            try (PreparedStatement update =
                    connection.prepareStatement("update chaos_number set number_now = ? where name = ?")) {
                update.setLong(1, next);
                update.setString(2, name);
                update.executeUpdate();
            }
            connection.commit();
            Commits.say(NAME, name + "/" + next);
        }
    }

    private static void guard(Lease lease, Connection connection, String name) throws SQLException {
        long heldUntil = System.nanoTime() + lease.remaining().toNanos();
        try {
            lease.guard(connection);
        } catch (ClaimLostException lost) {
            System.out.println((name.equals(UNTOUCHED) && System.nanoTime() - heldUntil < 0 ? ROBBED : REFUSED) + name);
            throw lost;
        }
    }

    private static long read(Connection connection, String name) throws SQLException {
        try (PreparedStatement query =
                connection.prepareStatement("select number_now from chaos_number where name = ?")) {
            query.setString(1, name);
            try (ResultSet row = query.executeQuery()) {
                row.next();
                return row.getLong(1);
            }
        }
    }

    @Override
    public void prepare(Chaos chaos, Turno turno) throws SQLException {
        locks = turno.locks(TERMS);
        chaos.execute("create table chaos_number (name varchar(100) primary key, number_now bigint)");
        for (int i = 0; i < LOCKS; i++) {
            chaos.execute("insert into chaos_number values ('lock-" + i + "', 0)");
        }
    }

    /** The processes count by themselves; what is put is who releases. */
    @Override
    public void put(int number) {
        try {
            if (locks != null) {
                locks.forceRelease("lock-" + number % (LOCKS - 1), "now and then", "chaos");
            }
        } catch (IllegalStateException guarded) {
            // It stays with its holder.
        }
    }

    @Override
    public int stored(int number) {
        return 1;
    }

    @Override
    public Optional<String> waiting() {
        return Optional.empty();
    }

    @Override
    public void check(Chaos chaos, Books books, Findings findings) throws SQLException {
        List<String> told = Commits.told(chaos, NAME);
        Set<String> seen = new HashSet<>();
        Map<String, Long> counts = new HashMap<>();
        Map<String, Long> highest = new HashMap<>();
        for (Books.Effect effect : books.effects(NAME)) {
            findings.add(Wrong.TWO_HOLDERS, seen.add(effect.item()) ? 0 : 1);
            int slash = effect.item().indexOf('/');
            String lock = effect.item().substring(0, slash);
            counts.merge(lock, 1L, Long::sum);
            highest.merge(lock, Long.parseLong(effect.item().substring(slash + 1)), Math::max);
        }
        findings.add(Wrong.TWO_HOLDERS, chaos.said(ROBBED).size());
        findings.add(Wrong.GONE, Commits.gone(told, seen));
        findings.items(seen.size());
        counts.forEach((lock, count) -> findings.add(Wrong.GONE, highest.getOrDefault(lock, 0L) - count));
    }
}
