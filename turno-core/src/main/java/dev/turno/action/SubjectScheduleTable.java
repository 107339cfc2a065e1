package dev.turno.action;

import dev.turno.sql.Call;
import dev.turno.sql.Database;
import dev.turno.sql.Session;
import java.sql.SQLException;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** The schedules of subjects, shared by all instances. */
final class SubjectScheduleTable {

    /** A schedule whose moment has come. */
    record Due(long id, String subject, String schedule, Instant dueAt) {}

    static final int AT_ONCE = 100;

    private final Database database;
    private final String namespace;

    SubjectScheduleTable(Database database, String namespace) {
        this.database = database;
        this.namespace = namespace;
        database.statements().require("action.set-schedule", "action.remove-schedule", "action.schedules");
        database.statements().require("action.due", "action.move");
    }

    Instant now() {
        return database.now("The database's time could not be read.");
    }

    void set(String subject, String schedule, Optional<Instant> next) {
        database.once(
                "The schedule of '" + subject + "' may not have been stored; set it again.",
                session -> of(session.sql("action.set-schedule"))
                        .set("subject", subject)
                        .set("schedule", schedule)
                        .set("next_us", next)
                        .update());
    }

    boolean remove(String subject) {
        return database.once(
                        "The schedule of '" + subject + "' was not removed.",
                        session -> of(session.sql("action.remove-schedule"))
                                .set("subject", subject)
                                .update())
                == 1;
    }

    List<ScheduledSubject> list(String after, int limit) {
        return database.once(
                "The schedules could not be listed.",
                session -> of(session.sql("action.schedules"))
                        .set("after", after)
                        .set("limit", limit)
                        .list(row -> new ScheduledSubject(
                                row.text("subject"), row.text("schedule"), row.optionalInstant("next_at"))));
    }

    /** Some that are due, behind this one. */
    List<Due> due(Optional<Due> after) {
        return database.once(
                "Schedules could not be looked at; it is tried again.",
                session -> of(session.sql("action.due"))
                        .set("after_us", after.map(Due::dueAt).orElse(Instant.EPOCH))
                        .set("after_id", after.map(Due::id).orElse(0L))
                        .set("limit", AT_ONCE)
                        .list(row -> new Due(
                                row.longValue("id"),
                                row.text("subject"),
                                row.text("schedule"),
                                row.instant("next_at"))));
    }

    /** False if somebody else moved it on. */
    boolean move(Session session, Due due, Optional<Instant> next) throws SQLException {
        return session.sql("action.move")
                        .set("schedule", due.id())
                        .set("due_us", due.dueAt())
                        .set("text", due.schedule())
                        .set("next_us", next)
                        .update()
                == 1;
    }

    <T> T transaction(String ifItFails, Database.Work<T> work) {
        return database.transaction(ifItFails, work);
    }

    private Call of(Call call) {
        return call.set("namespace", namespace);
    }
}
