package dev.turno.lock;

import dev.turno.claim.HolderId;
import dev.turno.sql.Call;
import dev.turno.sql.Columns;
import dev.turno.sql.Database;
import dev.turno.sql.Row;
import dev.turno.sql.Session;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** The statements of {@code lock.sql}. Shared by threads. */
final class LockTable {

    /** The proof of a taking. */
    record Hold(String name, long leaseId, long fence) {}

    /** A lock's row, and the database's clock when it was read. An empty {@code leaseId}: released. */
    record Seen(LockView view, Optional<Long> leaseId, Duration lease, Instant askedAt) {

        boolean isTaken() {
            return leaseId.isPresent() && view.until().isAfter(askedAt);
        }

        boolean isReleased() {
            return leaseId.isEmpty();
        }

        /** Also when its lease has passed, as long as nobody took it. */
        boolean isHeldBy(Hold hold) {
            return view.fence() == hold.fence() && leaseId.equals(Optional.of(hold.leaseId()));
        }
    }

    private record Old(long id, long fence) {}

    private static final int AT_ONCE = 1_000;
    private static final int MOST_KNOWN = 10_000;

    private final Database database;
    private final String namespace;

    /** Names that have a row, or had one when this process took them last. */
    private final Set<String> known = ConcurrentHashMap.newKeySet();

    LockTable(Database database, String namespace) {
        this.database = database;
        this.namespace = namespace;
        database.statements()
                .require("lock.take", "lock.take-over", "lock.find", "lock.list", "lock.find-all", "lock.guard");
        database.statements().require("lock.share-floor", "lock.hold-floor", "lock.add-floor", "lock.raise-floor");
        database.statements().require("lock.add", "lock.unguarded", "lock.release");
        database.statements().require("lock.find-old", "lock.lock-old", "lock.remove");
    }

    /** The fence if it was released; empty if somebody has it or had it last, or nobody ever had it. */
    Optional<Long> take(String name, long leaseId, LockTerms terms, HolderId holder, String node) {
        if (known.contains(name)) {
            Optional<Long> fence = take("lock.take-known", name, leaseId, terms, holder, node);
            if (fence.isEmpty()) {
                known.remove(name);
            }
            return fence;
        }
        Optional<Long> fence = take("lock.take", name, leaseId, terms, holder, node);
        if (fence.isPresent() && database.dialect().takesInOneStatement()) {
            if (known.size() >= MOST_KNOWN) {
                known.clear(); // names come and go: those that come again are known again
            }
            known.add(name);
        }
        return fence;
    }

    /** The fence if its lease has passed, or is the same as this one; empty if somebody has it, or guards it still. */
    Optional<Long> takeOver(String name, long leaseId, LockTerms terms, HolderId holder, String node) {
        return take("lock.take-over", name, leaseId, terms, holder, node);
    }

    private Optional<Long> take(
            String statement, String name, long leaseId, LockTerms terms, HolderId holder, String node) {
        return database.once(
                notTaken(name, terms),
                session -> taking(session, statement, name, leaseId, terms, holder, node)
                        .updateOne("fence"));
    }

    private Call taking(
            Session session,
            String statement,
            String name,
            long leaseId,
            LockTerms terms,
            HolderId holder,
            String node) {
        return call(session, statement, name)
                .set("lease_id", leaseId)
                .set("lease_us", terms.lease())
                .set("holder", holder.value())
                .set("node", node)
                .set("service", terms.service())
                .set("user_name", terms.user());
    }

    private static String notTaken(String name, LockTerms terms) {
        return "Lock '" + name + "' could not be taken. If it was taken and only the answer was lost, it is free again"
                + " when its lease of " + terms.lease() + " has passed.";
    }

    private Call call(Session session, String statement, String name) {
        return session.sql(statement).set("namespace", namespace).set("name", name);
    }

    private Call call(Session session, String statement, Hold hold) {
        return call(session, statement, hold.name()).set("fence", hold.fence()).set("lease_id", hold.leaseId());
    }

    /** Takes a name that has no row, from the floor that earlier rows of this name may have left; empty if it has one by now. */
    Optional<Long> add(String name, long leaseId, LockTerms terms, HolderId holder, String node) {
        return database.transaction(notTaken(name, terms), session -> {
            long floor = lockFloor(session, "lock.share-floor");
            boolean added = taking(session, "lock.add", name, leaseId, terms, holder, node)
                    .insertUnlessThere();
            return added ? Optional.of(floor + 1) : Optional.empty();
        });
    }

    private long lockFloor(Session session, String statement) throws SQLException {
        Optional<Long> there = floor(session, statement);
        if (there.isPresent()) {
            return there.get();
        }
        boolean unused =
                session.sql("lock.add-floor").set("namespace", namespace).insertUnlessThere();
        // Under SERIALIZABLE this transaction may not see what another has just added; the next one does.
        return floor(session, statement)
                .orElseThrow(() -> new SQLException("The floor of the fences is not visible yet.", "40001", 40001));
    }

    private Optional<Long> floor(Session session, String statement) throws SQLException {
        return session.sql(statement).set("namespace", namespace).first(row -> row.longValue("fence"));
    }

    Optional<Seen> find(String name) {
        return database.once(
                "Lock '" + name + "' could not be looked at; nothing was changed.",
                session -> call(session, "lock.find", name).first(LockTable::seen));
    }

    /** Those that are taken, in the order of their names, after {@code name}. */
    List<LockView> list(String after, int limit) {
        return database.once(
                "The locks could not be listed.",
                session -> session.sql("lock.list")
                        .set("namespace", namespace)
                        .set("after", after)
                        .set("limit", limit)
                        .list(row -> seen(row).view()));
    }

    private static Seen seen(Row row) throws SQLException {
        long holder = row.longValue("holder");
        LockView view = new LockView(
                row.text("name"),
                row.text("node"),
                holder > 0 ? new HolderId(holder).toString() : "",
                row.instant("taken_at"),
                row.instant("expires_at"),
                row.text("service"),
                row.text("user_name"),
                row.longValue("fence"));
        return new Seen(
                view,
                row.optionalLong("lease_id"),
                Duration.ofNanos(Math.multiplyExact(row.longValue("lease_us"), 1_000L)),
                row.instant("asked_at"));
    }

    /** False if the hold is over: somebody else took the lock, or a person released it. */
    boolean release(Hold hold) {
        return database.once(
                        notReleased(hold),
                        session -> call(session, "lock.release", hold).update())
                == 1;
    }

    /** As {@link #release}, but empty instead of waiting if an open transaction has the row, perhaps the caller's own. */
    Optional<Boolean> releaseUnlessGuarded(Hold hold) {
        boolean released = database.transaction(
                notReleased(hold),
                session -> !call(session, "lock.unguarded", hold)
                                .list(row -> row.longValue("id"))
                                .isEmpty()
                        && call(session, "lock.release", hold).update() == 1);
        if (released) {
            return Optional.of(true);
        }
        return find(hold.name()).filter(seen -> seen.isHeldBy(hold)).isPresent()
                ? Optional.empty()
                : Optional.of(false);
    }

    private static String notReleased(Hold hold) {
        return "Lock '" + hold.name() + "' (fence " + hold.fence()
                + ") could not be released. It is tried again until its"
                + " lease has passed; then it is free in any case.";
    }

    /** In the caller's transaction; false if the hold is over. */
    boolean guard(Connection connection, Hold hold) throws SQLException {
        return !call(database.on(connection), "lock.guard", hold)
                .list(row -> row.longValue("id"))
                .isEmpty();
    }

    /** In the caller's transaction, from whose commit on it is free; false if the hold is over. */
    boolean releaseIn(Connection connection, Hold hold) throws SQLException {
        return call(database.on(connection), "lock.release", hold).update() == 1;
    }

    /** Prolongs these, each by its own lease; answers those that were. The others are over, or guarded. */
    Set<Hold> renew(Collection<Hold> holds) {
        Set<Hold> renewed = new HashSet<>();
        List<Hold> all = List.copyOf(holds);
        for (int from = 0; from < all.size(); from += AT_ONCE) {
            renewed.addAll(renewChunk(all.subList(from, Math.min(all.size(), from + AT_ONCE))));
        }
        return renewed;
    }

    private List<Hold> renewChunk(List<Hold> holds) {
        String ifItFails = "Locks could not be renewed; it is tried again.";
        if (database.dialect().takesInOneStatement()) {
            return database.once(
                    ifItFails, session -> holds(session, "lock.renew", holds).list(LockTable::hold));
        }
        return database.transaction(ifItFails, session -> {
            List<Long> ids = new ArrayList<>();
            List<Hold> found = holds(session, "lock.renew-find", holds).list(row -> {
                ids.add(row.longValue("id"));
                return hold(row);
            });
            if (!ids.isEmpty()) {
                session.sql("lock.renew-mark").setAll("ids", ids).update();
            }
            return found;
        });
    }

    private static Hold hold(Row row) throws SQLException {
        return new Hold(row.text("name"), row.optionalLong("lease_id").orElse(0L), row.longValue("fence"));
    }

    private Call holds(Session session, String statement, List<Hold> holds) {
        return session.sql(statement)
                .set("namespace", namespace)
                .setRows(Columns.of("v", holds)
                        .texts("name", Hold::name)
                        .longs("fence", Hold::fence)
                        .longs("lease_id", Hold::leaseId));
    }

    /** Those that stand, renewed or not. */
    Set<Hold> standing(Collection<Hold> holds) {
        Set<Hold> standing = new HashSet<>();
        List<Hold> all = List.copyOf(holds);
        for (int from = 0; from < all.size(); from += AT_ONCE) {
            standing.addAll(standingOf(all.subList(from, Math.min(all.size(), from + AT_ONCE))));
        }
        return standing;
    }

    private List<Hold> standingOf(List<Hold> holds) {
        return database.once(
                "Locks could not be looked at; it is tried again.",
                session -> session.sql("lock.find-all")
                        .set("namespace", namespace)
                        .setAllTexts("names", holds.stream().map(Hold::name).toList())
                        .list(LockTable::hold));
    }

    /** Removes locks that nobody has had for {@code age}, after raising the floor; answers how many. */
    int removeOld(Duration age) {
        int removed = 0;
        long after = 0;
        while (true) {
            List<Long> ids = findOld(age, after);
            removed += ids.isEmpty() ? 0 : removeOld(age, ids);
            if (ids.size() < AT_ONCE) {
                return removed;
            }
            after = ids.get(ids.size() - 1);
        }
    }

    private List<Long> findOld(Duration age, long after) {
        return database.once(
                "Old locks could not be looked for; it is tried again.",
                session -> session.sql("lock.find-old")
                        .set("namespace", namespace)
                        .set("after", after)
                        .set("age_us", age)
                        .set("limit", AT_ONCE)
                        .list(row -> row.longValue("id")));
    }

    private int removeOld(Duration age, List<Long> ids) {
        return database.transaction("Old locks could not be removed; it is tried again.", session -> {
            long unused = lockFloor(session, "lock.hold-floor");
            List<Old> old = session.sql("lock.lock-old")
                    .setAll("ids", ids)
                    .set("age_us", age)
                    .list(row -> new Old(row.longValue("id"), row.longValue("fence")));
            if (old.isEmpty()) {
                return 0;
            }
            session.sql("lock.raise-floor")
                    .set("namespace", namespace)
                    .set("fence", old.stream().mapToLong(Old::fence).max().orElseThrow())
                    .update();
            return session.sql("lock.remove")
                    .setAll("ids", old.stream().map(Old::id).toList())
                    .update();
        });
    }
}
