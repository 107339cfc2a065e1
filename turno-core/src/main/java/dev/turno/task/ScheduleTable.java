package dev.turno.task;

import dev.turno.sql.Columns;
import dev.turno.sql.Database;
import dev.turno.sql.Session;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/** Stores tasks. */
final class ScheduleTable {

    private record Existing(long id, TaskState state) {}

    private static final int TRIES = 5;

    private final Database database;
    private final ChangeTable changes;

    ScheduleTable(Database database, ChangeTable changes) {
        this.database = database;
        this.changes = changes;
        database.statements().require("task.schedule", "task.schedule-all", "task.keyed", "task.unkey");
    }

    ScheduleOutcome schedule(TypeName type, NewTask task) {
        String ifItFails = "The task of " + type + " may not have been scheduled. "
                + (task.key().isPresent()
                        ? "Schedule it again with the same key: it is never stored twice."
                        : "Give tasks a key, and scheduling them again does no harm.");
        return task.key().isPresent() || task.lane().isPresent()
                ? database.transaction(ifItFails, session -> schedule(session, type, task, OptionalLong.empty()))
                : database.once(ifItFails, session -> schedule(session, type, task, OptionalLong.empty()));
    }

    /** @param cron the id of the cron schedule whose run this is */
    ScheduleOutcome schedule(Session session, TypeName type, NewTask task, OptionalLong cron) throws SQLException {
        if (task.lane().isPresent() || (task.key().isPresent() && task.ifThere() == NewTask.IfThere.REPLACE)) {
            session.requireTransaction(
                    "A task of " + type + " that is in a lane, or may replace another, cannot be scheduled");
        }
        Optional<Long> replaced = Optional.empty();
        // More than one round if the key belongs to a task that is to be replaced, or that was removed meanwhile.
        for (int tries = 0; tries < TRIES; tries++) {
            Optional<Long> id = insert(session, type, task, cron);
            if (id.isPresent()) {
                return replaced.isPresent()
                        ? new ScheduleOutcome.Replaced(id.get(), replaced.get())
                        : new ScheduleOutcome.Scheduled(id.get());
            }
            Optional<Existing> there = keyed(session, type, task.key().orElseThrow());
            if (there.isPresent()) {
                Existing old = there.get();
                if (task.ifThere() == NewTask.IfThere.KEEP) {
                    return new ScheduleOutcome.Kept(old.id(), old.state());
                }
                if (old.state() == TaskState.DOING) {
                    return new ScheduleOutcome.TooLate(old.id());
                }
                changes.cancel(session, old.id());
                session.sql("task.unkey").set("row", old.id()).update();
                replaced = Optional.of(old.id());
            }
        }
        throw new SQLException("The key '" + task.key().orElse("") + "' of " + type
                + " went to others again and again; schedule the task once more.");
    }

    private Optional<Long> insert(Session session, TypeName type, NewTask task, OptionalLong cron) throws SQLException {
        Optional<Long> lane = task.lane().isPresent()
                ? Optional.of(
                        changes.lanes(type).draw(session, task.lane().get(), 1).lane())
                : Optional.empty();
        Optional<Long> id = session.sql("task.schedule")
                .set("type", type.id())
                .set("task_key", task.key())
                .set("schedule", cron.isPresent() ? Optional.of(cron.getAsLong()) : Optional.empty())
                .set("class", 9 - task.priority())
                .set("at_us", task.at())
                .set("delay_us", task.in())
                .set("lane", lane)
                .set("body", task.body())
                .firstUnlessThere(row -> row.longValue("id"));
        if (lane.isPresent() && id.isPresent()) {
            changes.lineUp(session, type, lane.get(), id.get());
        }
        return id;
    }

    private static Optional<Existing> keyed(Session session, TypeName type, String key) throws SQLException {
        return session.sql("task.keyed")
                .set("type", type.id())
                .set("task_key", key)
                .first(row -> new Existing(row.longValue("id"), TaskState.valueOf(row.text("state"))));
    }

    /** Tasks of one type in one transaction; answers in the order given. */
    List<ScheduleOutcome> scheduleAll(TypeName type, List<NewTask> tasks) {
        return database.transaction(
                "The batch of " + tasks.size() + " tasks of " + type + " may not have been scheduled. Those with a key"
                        + " can be scheduled again without harm.",
                session -> scheduleAll(session, type, tasks));
    }

    List<ScheduleOutcome> scheduleAll(Session session, TypeName type, List<NewTask> tasks) throws SQLException {
        List<NewTask> plain = tasks.stream().filter(ScheduleTable::isPlain).toList();
        List<Long> ids = new ArrayList<>(plain.isEmpty() ? List.of() : insertAll(session, type, plain));
        ids.sort(null); // drawn in the order of the tasks
        List<ScheduleOutcome> outcomes = new ArrayList<>(tasks.size());
        int next = 0;
        for (NewTask task : tasks) {
            outcomes.add(
                    isPlain(task)
                            ? new ScheduleOutcome.Scheduled(ids.get(next++))
                            : schedule(session, type, task, OptionalLong.empty()));
        }
        return outcomes;
    }

    private static boolean isPlain(NewTask task) {
        return task.key().isEmpty() && task.lane().isEmpty();
    }

    private static List<Long> insertAll(Session session, TypeName type, List<NewTask> plain) throws SQLException {
        Columns<NewTask> rows = Columns.of("m", plain);
        rows.longs("class", task -> 9L - task.priority())
                .longs("at_us", task -> task.at().map(Database::micros).orElse(null))
                .longs("delay_us", task -> Database.micros(task.in()))
                .texts("body", NewTask::body);
        return session.sql("task.schedule-all")
                .set("type", type.id())
                .setRows(rows)
                .list(row -> row.longValue("id"));
    }
}
