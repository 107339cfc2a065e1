package dev.turno.holder;

import dev.turno.claim.HolderId;
import dev.turno.sql.Database;
import dev.turno.sql.Row;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** The statements of {@code holder.sql}. */
final class HolderTable {

    record Lapsed(HolderId id, String node) {}

    private static final int HOLDERS_AT_ONCE = 100;
    private static final int ROWS_AT_ONCE = 1_000;

    private final Database database;
    private final String namespace;

    HolderTable(Database database, String namespace) {
        this.database = database;
        this.namespace = namespace;
        database.statements().require("holder.register", "holder.renew", "holder.find-lapsed", "holder.reap");
        database.statements()
                .require("holder.find-forgettable", "holder.forget", "holder.leave", "holder.list", "holder.now");
    }

    void register(HolderId id, String node, Duration lease) {
        database.once(
                "Node '" + node + "' could not be registered; it takes no work until it is.",
                session -> session.sql("holder.register")
                        .set("holder", id.value())
                        .set("namespace", namespace)
                        .set("node", node)
                        .set("lease_us", lease)
                        .update());
    }

    /** False if the holder was declared dead. */
    boolean renew(HolderId id, Duration lease) {
        return database.once(
                        "The lease could not be renewed; it is tried again.",
                        session -> session.sql("holder.renew")
                                .set("holder", id.value())
                                .set("lease_us", lease)
                                .update())
                == 1;
    }

    List<Lapsed> findLapsed() {
        return database.once(
                "Dead holders could not be looked for; it is tried again.",
                session -> session.sql("holder.find-lapsed")
                        .set("namespace", namespace)
                        .list(row -> new Lapsed(new HolderId(row.longValue("id")), row.text("node"))));
    }

    boolean reap(HolderId id) {
        return database.once(
                        "A dead holder could not be marked; it is tried again.",
                        session -> session.sql("holder.reap")
                                .set("holder", id.value())
                                .update())
                == 1;
    }

    /** Those that were declared dead so long ago that nothing of theirs can be under way any more; a batch of them. */
    List<HolderId> findForgettable() {
        return database.once(
                "Old holders could not be looked for; it is tried again.",
                session -> session.sql("holder.find-forgettable")
                        .set("namespace", namespace)
                        .set("limit", HOLDERS_AT_ONCE)
                        .list(row -> new HolderId(row.longValue("id"))));
    }

    void forget(HolderId id) {
        database.once(
                "An old holder could not be removed; it is tried again.",
                session ->
                        session.sql("holder.forget").set("holder", id.value()).update());
    }

    void leave(HolderId id) {
        database.once(
                "The holder could not sign off; the others notice when its lease has passed.",
                session -> session.sql("holder.leave").set("holder", id.value()).update());
    }

    /** What the database's clock shows. */
    Instant now() {
        return database.now("The database's clock could not be read; it is tried again.");
    }

    List<Holder> list() {
        return database.once(
                "The holders could not be read.",
                session ->
                        session.sql("holder.list").set("namespace", namespace).list(HolderTable::holder));
    }

    private static Holder holder(Row row) throws SQLException {
        Optional<Instant> reapedAt = row.optionalInstant("reaped_at");
        return new Holder(
                new HolderId(row.longValue("id")).toString(),
                row.text("node"),
                row.instant("started_at"),
                row.instant("lease_until"),
                row.booleanValue("lapsed"),
                reapedAt);
    }

    void requireFree(String feature) {
        String statement = feature + ".free";
        database.statements().require(database.dialect().takesInOneStatement() ? statement : statement + "-find");
    }

    /** A batch of rows of a feature that dead holders had goes back to PENDING; answers how many. */
    int free(String feature, List<HolderId> dead) {
        return database.changeUnlocked(
                "What dead holders had of '" + feature + "' could not be freed; it is tried again.",
                feature + ".free",
                call -> call.setAll(
                                "holders", dead.stream().map(HolderId::value).toList())
                        .set("limit", ROWS_AT_ONCE));
    }
}
