package dev.turno.proof;

import dev.turno.Turno;
import dev.turno.TurnoOptions;
import dev.turno.lock.Lease;
import dev.turno.lock.LockOutcome;
import dev.turno.lock.LockTerms;
import dev.turno.lock.Locks;
import dev.turno.testkit.process.ParentWatch;
import java.io.IOException;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import javax.sql.DataSource;

/**
 * One instance of an application that uses locks, in a process of its own. Started with {@link Wishes}; then obeys:
 *
 * <ul>
 *   <li>{@code hammer NAME MILLIS THREADS}: takes the lock again and again, as {@link LockHammer} does;
 *   <li>{@code hold NAME MILLIS}: runs an action of that length under the lock, which then writes in a guarded transaction;
 *   <li>{@code wait NAME}: waits for the lock, says when it has it, and keeps it.
 * </ul>
 */
final class LockNode {

    static final String READY = "ready";
    static final String TABLE = "proof_effect";

    private final Wishes wishes;
    private final DataSource source;
    private final Locks locks;
    private final LockTerms terms;

    private LockNode(Wishes wishes) {
        this.wishes = wishes;
        this.source = Pools.openPatiently(wishes.text("url"), wishes.text("user"), wishes.text("password"), 12);
        this.terms = LockTerms.of(t -> t.lease(wishes.millis("lease", Duration.ofSeconds(2)))
                .cleanUp(false)
                .waitUpTo(Duration.ofSeconds(30)));
        Turno turno = Turno.start(source, TurnoOptions.defaults().withNode(wishes.text("node")));
        this.locks = turno.locks(terms);
    }

    public static void main(String[] words) throws InterruptedException {
        var node = new LockNode(Wishes.of(words));
        ParentWatch.exitWithParent(node::hear);
        System.out.println(READY);
        Thread.currentThread().join();
    }

    private void hear(String line) {
        String[] words = line.split(" ", -1);
        switch (words[0]) {
            case "hammer" -> start(() -> hammer(words[1], Long.parseLong(words[2]), Integer.parseInt(words[3])));
            case "hold" -> start(() -> hold(words[1], Long.parseLong(words[2])));
            case "wait" -> start(() -> waitFor(words[1]));
            default -> throw new IllegalArgumentException("What is '" + line + "'?");
        }
    }

    private interface Work {
        void run() throws Exception;
    }

    private static void start(Work work) {
        new Thread(() -> {
                    try {
                        work.run();
                    } catch (Exception e) {
                        System.out.println("failed " + e);
                    }
                })
                .start();
    }

    private void hammer(String name, long millis, int threads) throws InterruptedException {
        var done = new CountDownLatch(threads);
        for (int i = 0; i < threads; i++) {
            String who = wishes.text("node") + "-" + i;
            start(() -> {
                try (var ledger = LockLedger.Client.open(wishes.number("ledger", 0))) {
                    new LockHammer(locks, name, who, ledger).run(Duration.ofMillis(millis));
                } finally {
                    done.countDown();
                }
            });
        }
        done.await();
        System.out.println("hammered");
    }

    private void hold(String name, long millis) throws SQLException, IOException {
        LockOutcome<String> outcome = locks.whileHolding(name, terms, lease -> {
            System.out.println("in " + lease.fence());
            rest(millis);
            writeGuarded(lease);
            return "written";
        });
        System.out.println("outcome " + outcome);
    }

    private static void rest(long millis) {
        try {
            Thread.sleep(millis);
        } catch (InterruptedException e) {
            System.out.println("interrupted");
        }
    }

    private void writeGuarded(Lease lease) throws SQLException {
        try (Connection connection = source.getConnection();
                Statement statement = connection.createStatement()) {
            connection.setAutoCommit(false);
            statement.executeUpdate("insert into " + TABLE + " values ('" + wishes.text("node") + "')");
            System.out.println("lost " + lease.isLost());
            lease.guard(connection);
            connection.commit();
        }
    }

    private void waitFor(String name) {
        Lease lease = locks.tryTake(name, terms).orElseThrow();
        System.out.println("has " + lease.fence());
    }
}
