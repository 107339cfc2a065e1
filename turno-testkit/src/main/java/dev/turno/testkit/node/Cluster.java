package dev.turno.testkit.node;

import dev.turno.Turno;
import dev.turno.TurnoOptions;
import dev.turno.testkit.database.FreshDatabase;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import javax.sql.DataSource;

/**
 * Nodes on one database. {@link #stepwise} ones do nothing by themselves and share a settable time; {@link #running} ones
 * have their threads and the database's time. Not shared by threads.
 */
public final class Cluster implements AutoCloseable {

    /** Of every node, unless the options say otherwise. */
    public static final Duration LEASE = Duration.ofSeconds(15);

    private static final Instant START = Instant.parse("2026-03-02T10:00:00Z");

    private final DataSource source;
    private final SettableTime time = new SettableTime(START);
    private final boolean running;
    private final List<Node> nodes = new ArrayList<>();

    private Cluster(DataSource source, boolean running) {
        this.source = source;
        this.running = running;
    }

    /** Nodes without threads, whose time stands still until {@link SettableTime#forward}. */
    public static Cluster stepwise(FreshDatabase database) {
        return new Cluster(database.dataSource(), false);
    }

    /** Nodes with threads, on the database's time. */
    public static Cluster running(FreshDatabase database) {
        return new Cluster(database.newPool(database.url(), 40), true);
    }

    public SettableTime time() {
        if (running) {
            throw new IllegalStateException(
                    "Running nodes use the database's time; only stepwise ones have a settable one.");
        }
        return time;
    }

    public Node node(String name) {
        return node(name, TurnoOptions.defaults().withLease(LEASE));
    }

    public Node node(String name, TurnoOptions options) {
        return nodeOn(source, name, options);
    }

    /** A node with its own way to the database, such as one that fails on demand. */
    public Node nodeOn(DataSource way, String name, TurnoOptions options) {
        NodeSource own = new NodeSource(way);
        TurnoOptions named = options.withNode(name);
        Turno turno = running ? Turno.start(own, named) : Turno.open(own, named.withTime(time));
        Node node = new Node(name, turno, own);
        nodes.add(node);
        return node;
    }

    /** As if by kill -9: nothing of the node's reaches the database any more. */
    public void kill(Node node) {
        node.kill();
    }

    /** As if by SIGSTOP between two transactions: the node gets no connection until {@link #resume}. What has one goes on with it. */
    public void pause(Node node) {
        node.pause();
    }

    public void resume(Node node) {
        node.resume();
    }

    /** Moves the time by {@code by} in steps of a third of the lease, each node but the dead giving its sign of life. */
    public void live(Duration by, Node... alive) {
        Duration step = LEASE.dividedBy(3);
        Duration left = by;
        while (!left.isZero()) {
            Duration now = left.compareTo(step) < 0 ? left : step;
            time().forward(now);
            left = left.minus(now);
            List.of(alive).forEach(Node::beat);
        }
    }

    /** Closes every node, also if one of them cannot be; the first failure is thrown, with the others in it. */
    @Override
    public void close() {
        List<Throwable> failures = new ArrayList<>();
        for (Node node : nodes) {
            try {
                node.resume();
                node.turno().close();
            } catch (RuntimeException | Error e) {
                failures.add(e);
            }
        }
        rethrow(failures);
    }

    private static void rethrow(List<Throwable> failures) {
        if (failures.isEmpty()) {
            return;
        }
        Throwable first = failures.get(0);
        failures.stream().filter(other -> other != first).forEach(first::addSuppressed);
        if (first instanceof Error error) {
            throw error;
        }
        throw (RuntimeException) first;
    }
}
