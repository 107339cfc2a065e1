package dev.turno.task;

import dev.turno.sql.Call;
import dev.turno.sql.Database;
import dev.turno.sql.Place;
import dev.turno.sql.Row;
import dev.turno.sql.Session;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** What people see: find, list, count. */
final class BrowseTable {

    private record Type(TypeName name, Optional<Instant> assignedAt, long assigned, Duration assignment) {}

    private record Placed(StoredTask task, String place) {}

    private static final int SEARCHED_AT_ONCE = 10_000;
    private static final Instant FAR = Instant.parse("9999-01-01T00:00:00Z");

    private static final Set<TaskState> WAITING = Set.of(TaskState.PENDING, TaskState.ASSIGNED, TaskState.DOING);

    private final Database database;
    private final String namespace;

    BrowseTable(Database database, String namespace) {
        this.database = database;
        this.namespace = namespace;
        database.statements().require("task.find", "task.find-key", "task.list-waiting", "task.list-finished");
        database.statements().require("task.list-waiting-end", "task.list-finished-end", "task.types", "task.counts");
    }

    Optional<StoredTask> find(long id) {
        return database.once(
                "Task " + id + " could not be read.",
                session -> session.sql("task.find")
                        .set("row", id)
                        .set("namespace", namespace)
                        .first(row -> task(row, row.optionalText("body"))));
    }

    Optional<StoredTask> find(TypeName type, String key) {
        return database.once(
                "Task '" + key + "' of " + type + " could not be read.",
                session -> session.sql("task.find-key")
                        .set("type", type.id())
                        .set("task_key", key)
                        .first(row -> task(row, row.optionalText("body"))));
    }

    /** The place after which a page of tasks in this state begins. */
    static Place place(TaskState state, Optional<String> after) {
        return WAITING.contains(state)
                ? Place.read(after, -1, 0, 0)
                : Place.read(after, 0, Database.micros(FAR), Long.MAX_VALUE);
    }

    TaskPage list(TypeName type, TaskState state, Optional<String> text, Place from, int limit) {
        boolean waits = WAITING.contains(state);
        String statement = waits ? "task.list-waiting" : "task.list-finished";
        String orderedBy = waits ? "turn_at" : "finished_at";
        return database.once("The tasks of " + type + " could not be listed.", session -> {
            List<Placed> found = list(session, statement, type, state, from)
                    .set("text", text)
                    .set("searched", SEARCHED_AT_ONCE)
                    .set("limit", limit + 1)
                    .list(row -> new Placed(task(row, Optional.empty()), place(row, orderedBy)));
            return new TaskPage(
                    found.stream().limit(limit).map(Placed::task).toList(),
                    found.size() > limit
                            ? Optional.of(found.get(limit - 1).place())
                            : list(session, statement + "-end", type, state, from)
                                    .set("passed", SEARCHED_AT_ONCE - 1)
                                    .first(row -> place(row, "placed_at")));
        });
    }

    private static Call list(Session session, String statement, TypeName type, TaskState state, Place from) {
        return session.sql(statement)
                .set("type", type.id())
                .set("state", state.name())
                .set("after_class", from.number(0))
                .set("after_us", from.number(1))
                .set("after_id", from.number(2));
    }

    private static String place(Row row, String orderedBy) throws SQLException {
        return Place.of(row.longValue("class"), Database.micros(row.instant(orderedBy)), row.longValue("id"))
                .text();
    }

    private static StoredTask task(Row row, Optional<String> body) throws SQLException {
        return new StoredTask(
                row.longValue("id"),
                row.text("type"),
                row.optionalText("task_key"),
                TaskState.valueOf(row.text("state")),
                9 - row.intValue("class"),
                row.intValue("attempt"),
                row.longValue("fence"),
                row.instant("put_at"),
                row.instant("task_at"),
                row.optionalInstant("turn_at").filter(FAR::isAfter),
                row.optionalInstant("held_until"),
                row.optionalInstant("finished_at"),
                row.optionalText("lane"),
                row.optionalText("node"),
                row.optionalText("schedule"),
                row.optionalText("error"),
                body);
    }

    /** All types of the namespace; the lag is this process's. */
    List<TaskFigures> figures(Map<String, LagMeter> lags) {
        return types().stream().map(type -> figures(type, lags)).toList();
    }

    /** Of one type, without counting the others. */
    Optional<TaskFigures> figures(String name, Map<String, LagMeter> lags) {
        return types().stream()
                .filter(type -> type.name().type().equals(name))
                .findFirst()
                .map(type -> figures(type, lags));
    }

    private List<Type> types() {
        return database.once(
                "The task types could not be read.",
                session -> session.sql("task.types")
                        .set("namespace", namespace)
                        .list(row -> new Type(
                                new TypeName(namespace, row.text("type"), row.longValue("id")),
                                row.optionalInstant("assigned_at"),
                                row.longValue("assigned"),
                                row.duration("assigned_us"))));
    }

    private TaskFigures figures(Type type, Map<String, LagMeter> lags) {
        return figures(
                type, lags.getOrDefault(type.name().type(), new LagMeter()).lag());
    }

    private TaskFigures figures(Type type, TaskFigures.Lag lag) {
        Map<String, Integer> counts = new HashMap<>();
        database.once(
                "The tasks of " + type.name() + " could not be counted.",
                session -> session.sql("task.counts")
                        .set("type", type.name().id())
                        .set("limit", TaskFigures.MOST)
                        .list(row -> counts.put(row.text("state"), row.intValue("n"))));
        Map<TaskState, Integer> byState = new EnumMap<>(TaskState.class);
        for (TaskState state : TaskState.values()) {
            byState.put(state, counts.getOrDefault(state.name(), 0));
        }
        return new TaskFigures(
                type.name().type(),
                byState,
                counts.getOrDefault("OVERDUE", 0),
                counts.getOrDefault("RUNNERS", 0),
                type.assigned(),
                type.assignedAt(),
                type.assignment(),
                lag);
    }
}
