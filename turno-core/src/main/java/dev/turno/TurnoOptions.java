package dev.turno;

import dev.turno.claim.HolderId;
import dev.turno.time.Time;
import dev.turno.watch.Watcher;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;

/**
 * How Turno runs in this process.
 *
 * @param namespace services that share a database and have different namespaces never see each other's rows
 * @param node the name under which people see this process; need not be unique
 * @param lease how long this process is believed to be alive without a sign of life
 * @param schema what to do about the tables at start-up
 * @param drain how long running handlers may go on when Turno is closed
 * @param watchers who is told what happens, beside the log and the counters
 * @param time whose clock decides: the database's, or one that tests move
 * @param ids where this process gets its id as a holder; drawn at random but in tests
 */
public record TurnoOptions(
        String namespace,
        String node,
        Duration lease,
        SchemaMode schema,
        Duration drain,
        List<Watcher> watchers,
        Time time,
        Supplier<HolderId> ids) {

    /** What to do about the tables at start-up. */
    public enum SchemaMode {
        /** Create or update them. */
        MIGRATE,
        /** Refuse to start if they are not as needed. */
        VALIDATE,
        /** Trust. */
        NONE
    }

    public TurnoOptions {
        if (!namespace.matches("[A-Za-z0-9._-]{1,64}")) {
            throw new IllegalArgumentException(
                    "The namespace is '" + namespace + "'; use 1 to 64 letters, digits, dots, dashes and underscores.");
        }
        if (node.isBlank() || node.length() > 200) {
            throw new IllegalArgumentException(
                    "The node's name has " + node.length() + " characters; use 1 to 200, not all blank.");
        }
        if (lease.compareTo(Duration.ofMillis(500)) < 0 || lease.compareTo(Duration.ofHours(1)) > 0) {
            throw new IllegalArgumentException("The lease is " + lease + "; use half a second to an hour.");
        }
        if (drain.isNegative() || drain.compareTo(Duration.ofDays(1)) > 0) {
            throw new IllegalArgumentException("The drain time is " + drain + "; use zero to a day.");
        }
        watchers = List.copyOf(watchers);
    }

    public static TurnoOptions defaults() {
        return new TurnoOptions(
                "default",
                hostName(),
                Duration.ofSeconds(15),
                SchemaMode.MIGRATE,
                Duration.ofSeconds(10),
                List.of(),
                Time.ofDatabase(),
                HolderId::draw);
    }

    private static String hostName() {
        try {
            return InetAddress.getLocalHost().getHostName();
        } catch (UnknownHostException e) {
            return "node";
        }
    }

    public TurnoOptions withNamespace(String wished) {
        return new TurnoOptions(wished, node, lease, schema, drain, watchers, time, ids);
    }

    public TurnoOptions withNode(String wished) {
        return new TurnoOptions(namespace, wished, lease, schema, drain, watchers, time, ids);
    }

    public TurnoOptions withLease(Duration wished) {
        return new TurnoOptions(namespace, node, wished, schema, drain, watchers, time, ids);
    }

    public TurnoOptions withSchema(SchemaMode wished) {
        return new TurnoOptions(namespace, node, lease, wished, drain, watchers, time, ids);
    }

    public TurnoOptions withDrain(Duration wished) {
        return new TurnoOptions(namespace, node, lease, schema, wished, watchers, time, ids);
    }

    public TurnoOptions withWatcher(Watcher watcher) {
        List<Watcher> all = new ArrayList<>(watchers);
        all.add(watcher);
        return new TurnoOptions(namespace, node, lease, schema, drain, all, time, ids);
    }

    public TurnoOptions withTime(Time wished) {
        return new TurnoOptions(namespace, node, lease, schema, drain, watchers, wished, ids);
    }

    /** For tests that have to be repeatable: who this process is at each start. No id may ever come twice. */
    public TurnoOptions withIds(Supplier<HolderId> wished) {
        return new TurnoOptions(namespace, node, lease, schema, drain, watchers, time, wished);
    }
}
