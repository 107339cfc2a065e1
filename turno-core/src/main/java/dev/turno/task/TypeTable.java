package dev.turno.task;

import dev.turno.claim.HolderId;
import dev.turno.sql.Database;
import dev.turno.sql.Session;
import dev.turno.sql.StorableText;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/** The types by name, and who can run which. */
final class TypeTable {

    private final Database database;
    private final String namespace;
    private final Map<String, TypeName> known = new ConcurrentHashMap<>();
    private final Map<Long, TypeName> names = new ConcurrentHashMap<>();

    TypeTable(Database database, String namespace) {
        this.database = database;
        this.namespace = namespace;
        database.statements().require("task.define-type", "task.type", "task.can-run", "task.cannot-run");
        database.statements().require("task.runners", "task.gone-runners", "task.forget-runners");
    }

    /** The type's number, given to it when its name is first used. */
    TypeName define(String type) {
        TypeName name = known.get(type);
        if (name == null) {
            StorableText.require("type of a task", type, NewTask.LONGEST_TYPE);
            long id = database.once("Task type '" + type + "' could not be defined.", session -> define(session, type));
            name = new TypeName(namespace, type, id);
            known.put(type, name);
        }
        return name;
    }

    /** Unlike {@link #define} it leaves nothing behind: who mistypes a name while looking for something adds no type. */
    Optional<TypeName> find(String type) {
        TypeName name = known.get(type);
        return name != null ? Optional.of(name) : read(type);
    }

    private Optional<TypeName> read(String type) {
        StorableText.require("type of a task", type, NewTask.LONGEST_TYPE);
        Optional<TypeName> found = database.once(
                        "Task type '" + type + "' could not be read.", session -> id(session, type))
                .map(id -> new TypeName(namespace, type, id));
        found.ifPresent(name -> known.put(type, name));
        return found;
    }

    private Optional<Long> id(Session session, String type) throws SQLException {
        return session.sql("task.type")
                .set("namespace", namespace)
                .set("type", type)
                .first(row -> row.longValue("id"));
    }

    private long define(Session session, String type) throws SQLException {
        session.sql("task.define-type")
                .set("namespace", namespace)
                .set("type", type)
                .insertUnlessThere();
        return id(session, type).orElseThrow();
    }

    /** A type never changes its name, so each is asked for once. */
    TypeName byId(Session session, long id) throws SQLException {
        TypeName name = names.get(id);
        if (name == null) {
            name = session.sql("task.type-name")
                    .set("type", id)
                    .first(row -> new TypeName(namespace, row.text("type"), id))
                    .orElseThrow();
            names.put(id, name);
        }
        return name;
    }

    /** All types of the namespace, by whomever they were defined. */
    List<TypeName> all() {
        return database.once(
                "The task types could not be read.",
                session -> session.sql("task.types")
                        .set("namespace", namespace)
                        .list(row -> new TypeName(namespace, row.text("type"), row.longValue("id"))));
    }

    void canRun(TypeName type, HolderId holder) {
        database.once(
                "Nobody is told yet that this process runs tasks of " + type + "; it is tried again.",
                session -> session.sql("task.can-run")
                        .set("type", type.id())
                        .set("holder", holder.value())
                        .insertUnlessThere());
    }

    void cannotRun(TypeName type, HolderId holder) {
        database.once(
                "Tasks of " + type + " may still be shared out to this process; others take them a little late.",
                session -> session.sql("task.cannot-run")
                        .set("type", type.id())
                        .set("holder", holder.value())
                        .update());
    }

    void forget(List<HolderId> dead) {
        database.once(
                "What dead holders could run was not forgotten; it is tried again.",
                session -> session.sql("task.forget-runners")
                        .setAll("holders", dead.stream().map(HolderId::value).toList())
                        .update());
    }

    List<Long> runners(TypeName type) {
        return holders("task.runners", type);
    }

    List<Long> goneRunners(TypeName type) {
        return holders("task.gone-runners", type);
    }

    /** How many tasks of the type have changed hands so far, all passes together. */
    long sharedOut(TypeName type) {
        return database.once(
                "How tasks of " + type + " were shared out last could not be read; it is tried again.",
                session -> session.sql("task.last-pass")
                        .set("type", type.id())
                        .first(row -> row.longValue("assigned"))
                        .orElse(0L));
    }

    private List<Long> holders(String statement, TypeName type) {
        return database.once(
                "Who can run tasks of " + type + " could not be read; it is tried again.",
                session -> session.sql(statement).set("type", type.id()).list(row -> row.longValue("holder")));
    }
}
