package dev.turno.task;

import dev.turno.sql.Call;
import dev.turno.sql.Database;
import dev.turno.sql.Row;
import dev.turno.sql.Session;
import java.sql.SQLException;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeSet;

/** The cron schedules, and how their runs become tasks: under the schedule's lock, with its cursor moved in the same transaction. */
final class CronTable {

    /** A run so late is not missed yet: it simply runs late. */
    private static final Duration TOLERANCE = Duration.ofMinutes(1);

    private static final int TRIES = 5;
    private static final Duration REST = Duration.ofMinutes(10);
    private static final int RUNS_AT_ONCE = 1_000;
    private static final int MOST_MISSED = 10_000;
    private static final int MOST_GIVEN_UP = 1_000;
    private static final int REMOVED_AT_ONCE = 1_000;
    private static final int MOST_SCHEDULES = 10_000;
    private static final Instant NEVER = Instant.parse("9000-01-01T00:00:00Z");

    /** A schedule's row, locked. */
    private record Locked(
            long id,
            String name,
            TypeName type,
            int priority,
            String line,
            String zone,
            NewSchedule.Missed missed,
            int missedLimit,
            boolean paused,
            Optional<String> cursor,
            Instant since,
            Optional<Instant> next,
            String body,
            Instant now) {

        Cron cron() {
            return Cron.of(line, ZoneId.of(zone));
        }

        boolean isSame(NewSchedule wished) {
            return line.equals(wished.line())
                    && zone.equals(wished.zone().getId())
                    && type.type().equals(wished.type())
                    && body.equals(wished.body())
                    && priority == wished.priority()
                    && missed == wished.missed()
                    && missedLimit == wished.missedLimit();
        }

        NewTask task(Instant at) {
            return NewTask.at(type.type(), body, at).withPriority(priority);
        }
    }

    /** What was planned for one schedule. */
    record Planned(String schedule, TypeName type, int count, boolean skipped) {}

    /** A run that somebody asked for beside the plan. */
    record Asked(TypeName type, long task) {}

    /** A run that has not begun in time and is not made up for. */
    private record Overdue(String schedule, long task) {}

    /** Something to do with a schedule whose row is locked. */
    @FunctionalInterface
    private interface Act<T> {
        T on(Session session, Locked schedule) throws SQLException;
    }

    private final Database database;
    private final String namespace;
    private final TypeTable types;
    private final ScheduleTable tasks;

    CronTable(Database database, String namespace, TypeTable types, ScheduleTable tasks) {
        this.database = database;
        this.namespace = namespace;
        this.types = types;
        this.tasks = tasks;
        database.statements().require("task.define-schedule", "task.lock-schedule", "task.due-schedule");
        database.statements().require("task.advance-schedule", "task.change-schedule", "task.withdraw-runs");
        database.statements().require("task.missed-runs", "task.withdraw-missed");
        database.statements().require("task.unhandled-types", "task.surplus-runs", "task.remove-runs");
        database.statements().require("task.pause-schedule", "task.resume-schedule", "task.remove-schedule");
    }

    /** Defines the schedule, or changes the one of this name; false if it stands there exactly like this. */
    boolean define(NewSchedule wished) {
        TypeName type = types.define(wished.type());
        return database.transaction(
                "Schedule '" + wished.name() + "' may not have been defined; define it again.",
                session -> define(session, wished, type));
    }

    private boolean define(Session session, NewSchedule wished, TypeName type) throws SQLException {
        // More than one round if it is there, but is removed before it can be locked.
        for (int tries = 0; tries < TRIES; tries++) {
            if (values(session.sql("task.define-schedule"), wished, type)
                    .set("namespace", namespace)
                    .set("schedule", wished.name())
                    .insertUnlessThere()) {
                return true;
            }
            Optional<Locked> there = lock(session, wished.name());
            if (there.isPresent()) {
                return !there.get().isSame(wished) && change(session, there.get(), wished, type);
            }
        }
        throw new SQLException("Schedule '" + wished.name() + "' was removed again and again; define it once more.");
    }

    private static boolean change(Session session, Locked there, NewSchedule wished, TypeName type)
            throws SQLException {
        withdraw(session, there);
        return values(session.sql("task.change-schedule"), wished, type)
                        .set("schedule", there.id())
                        .update()
                == 1;
    }

    /** Defines the schedule unless there is one of this name. */
    AddOutcome add(NewSchedule wished) {
        TypeName type = types.define(wished.type());
        return database.transaction(
                "Schedule '" + wished.name() + "' may not have been added; add it again.", session -> {
                    if (values(session.sql("task.define-schedule"), wished, type)
                            .set("namespace", namespace)
                            .set("schedule", wished.name())
                            .insertUnlessThere()) {
                        return AddOutcome.ADDED;
                    }
                    Locked there = lock(session, wished.name())
                            .orElseThrow(() -> new SQLException("It was there, and was removed at this moment."));
                    return there.isSame(wished) ? AddOutcome.SAME : AddOutcome.OTHER;
                });
    }

    private static Call values(Call call, NewSchedule wished, TypeName type) {
        return call.set("type", type.id())
                .set("class", 9 - wished.priority())
                .set("cron", wished.line())
                .set("zone", wished.zone().getId())
                .set("missed", wished.missed().name())
                .set("missed_limit", wished.missedLimit())
                .set("body", wished.body());
    }

    /** False if there is no such schedule. */
    boolean pause(String name) {
        return change(name, "paused", (session, schedule) -> {
            withdraw(session, schedule);
            return session.sql("task.pause-schedule")
                    .set("schedule", schedule.id())
                    .update();
        });
    }

    boolean resume(String name) {
        return change(
                name,
                "resumed",
                (session, schedule) -> session.sql("task.resume-schedule")
                        .set("schedule", schedule.id())
                        .update());
    }

    boolean remove(String name) {
        return change(name, "removed", (session, schedule) -> {
            withdraw(session, schedule);
            return session.sql("task.remove-schedule")
                    .set("schedule", schedule.id())
                    .update();
        });
    }

    /** A run beside the plan. */
    Optional<Asked> runNow(String name) {
        return act(
                name,
                "run",
                (session, schedule) -> new Asked(
                        schedule.type(),
                        tasks.schedule(
                                        session,
                                        schedule.type(),
                                        schedule.task(schedule.now()),
                                        OptionalLong.of(schedule.id()))
                                .id()));
    }

    private boolean change(String name, String done, Act<Integer> act) {
        return act(name, done, act).isPresent();
    }

    private <T> Optional<T> act(String name, String done, Act<T> act) {
        return database.transaction(
                "Schedule '" + name + "' may not have been " + done + "; look at it, and try again.", session -> {
                    Optional<Locked> schedule = lock(session, name);
                    return schedule.isEmpty() ? Optional.empty() : Optional.of(act.on(session, schedule.get()));
                });
    }

    private Optional<Locked> lock(Session session, String name) throws SQLException {
        return session.sql("task.lock-schedule")
                .set("namespace", namespace)
                .set("schedule", name)
                .first(row -> locked(session, row));
    }

    /** Runs that are tasks already, but have not begun. */
    private static void withdraw(Session session, Locked schedule) throws SQLException {
        session.sql("task.withdraw-runs")
                .set("type", schedule.type().id())
                .set("schedule", schedule.id())
                .update();
    }

    private Locked locked(Session session, Row row) throws SQLException {
        return new Locked(
                row.longValue("id"),
                row.text("schedule"),
                types.byId(session, row.longValue("type_id")),
                9 - row.intValue("class"),
                row.text("cron"),
                row.text("zone"),
                NewSchedule.Missed.valueOf(row.text("missed")),
                row.intValue("missed_limit"),
                row.booleanValue("paused"),
                row.optionalText("cursor_name"),
                row.instant("since_at"),
                row.optionalInstant("next_at"),
                row.text("body"),
                row.instant("now_at"));
    }

    List<StoredSchedule> list() {
        return database.once(
                "The schedules could not be read.",
                session -> session.sql("task.schedules")
                        .set("namespace", namespace)
                        .set("limit", MOST_SCHEDULES)
                        .list(row -> stored(locked(session, row))));
    }

    private static StoredSchedule stored(Locked schedule) {
        return new StoredSchedule(
                schedule.name(),
                schedule.type().type(),
                schedule.line(),
                schedule.zone(),
                schedule.missed(),
                schedule.paused(),
                schedule.cursor(),
                schedule.next());
    }

    /** The next runs, whether they are tasks already or not; none while it is paused. */
    Optional<List<CronRun>> nextRuns(String name, int count) {
        return act(
                name,
                "read",
                (session, schedule) ->
                        schedule.paused() ? List.of() : schedule.cron().next(schedule.now(), count));
    }

    /**
     * Runs that stand as tasks, and that nobody has begun long after their instant because no handler lives, are missed like those that
     * nobody has planned: gives up what is not to be made up for, the rest at the next look if it is very much. Answers the names of
     * their schedules.
     */
    Set<String> withdrawMissed() {
        return database.transaction("Missed cron runs were not given up; it is tried again.", session -> {
            List<Overdue> missed = session.sql("task.missed-runs")
                    .set("namespace", namespace)
                    .set("tolerance_us", TOLERANCE)
                    .set("limit", MOST_MISSED)
                    .list(row -> new Overdue(row.text("schedule"), row.longValue("id")));
            Set<String> withdrawn = new TreeSet<>();
            for (Overdue run : missed) {
                if (session.sql("task.withdraw-missed")
                                .set("row", run.task())
                                .set("tolerance_us", TOLERANCE)
                                .update()
                        == 1) {
                    withdrawn.add(run.schedule());
                }
            }
            return withdrawn;
        });
    }

    /**
     * Where nobody handles the type, the planner alone makes tasks and gives them up, for ever: of those the newest stay. Nothing else is
     * removed, for how long to keep it only a handler knows. True if there may be more.
     */
    boolean removeSurplus() {
        boolean more = false;
        for (TypeName type : unhandled()) {
            more |= removeSurplus(type) == REMOVED_AT_ONCE;
        }
        return more;
    }

    private List<TypeName> unhandled() {
        return database.once(
                "The types that nobody handles could not be read; it is tried again.",
                session -> session.sql("task.unhandled-types")
                        .set("namespace", namespace)
                        .list(row -> new TypeName(namespace, row.text("type"), row.longValue("id"))));
    }

    private int removeSurplus(TypeName type) {
        return database.transaction(
                "Cron runs of " + type + " that were given up could not be removed; it is tried again.", session -> {
                    List<Long> surplus = session.sql("task.surplus-runs")
                            .set("type", type.id())
                            .set("kept", MOST_GIVEN_UP)
                            .set("limit", REMOVED_AT_ONCE)
                            .list(row -> row.longValue("id"));
                    return surplus.isEmpty()
                            ? 0
                            : session.sql("task.remove-runs")
                                    .setAll("ids", surplus)
                                    .update();
                });
    }

    /** Makes the runs of one schedule that are due within {@code ahead} into tasks; empty if there is none to plan. */
    Optional<Planned> planOne(Duration ahead) {
        return database.transaction("Cron runs were not planned; it is tried again.", session -> {
            Optional<Locked> schedule = session.sql("task.due-schedule")
                    .set("namespace", namespace)
                    .set("ahead_us", ahead)
                    .first(row -> locked(session, row));
            return schedule.isEmpty() ? Optional.empty() : Optional.of(planOrRest(session, schedule.get(), ahead));
        });
    }

    /** A line that this process cannot read, perhaps a newer one can, must not keep the others from being planned. */
    private Planned planOrRest(Session session, Locked schedule, Duration ahead) throws SQLException {
        try {
            return plan(session, schedule, ahead);
        } catch (IllegalArgumentException | DateTimeException e) {
            advance(
                    session,
                    schedule,
                    schedule.cursor(),
                    schedule.now().plus(ahead).plus(REST));
            return new Planned(schedule.name(), schedule.type(), 0, true);
        }
    }

    private static void advance(Session session, Locked schedule, Optional<String> cursor, Instant next)
            throws SQLException {
        session.sql("task.advance-schedule")
                .set("schedule", schedule.id())
                .set("cursor", cursor)
                .set("next_us", next)
                .update();
    }

    private Planned plan(Session session, Locked schedule, Duration ahead) throws SQLException {
        Cron cron = schedule.cron();
        Optional<CronRun> next =
                schedule.cursor().isPresent() ? cron.after(schedule.cursor().get()) : cron.first(schedule.since());
        Optional<String> cursor = schedule.cursor();
        Instant missedUntil = schedule.now().minus(TOLERANCE);
        List<CronRun> runs = new ArrayList<>();
        boolean skipped = false;
        if (next.isPresent() && !next.get().at().isAfter(missedUntil)) {
            List<CronRun> missed = cron.last(Math.max(1, madeUpFor(schedule)), next.get(), missedUntil);
            CronRun newest = missed.get(missed.size() - 1);
            skipped = madeUpFor(schedule) == 0 || !missed.get(0).equals(next.get());
            runs.addAll(madeUpFor(schedule) == 0 ? List.of() : missed);
            cursor = Optional.of(newest.name());
            next = cron.after(newest.name());
        }
        Instant horizon = schedule.now().plus(ahead);
        for (int i = 0; i < RUNS_AT_ONCE && next.isPresent() && !next.get().at().isAfter(horizon); i++) {
            runs.add(next.get());
            cursor = Optional.of(next.get().name());
            next = cron.after(next.get().name());
        }
        int count = store(session, schedule, runs);
        advance(session, schedule, cursor, next.map(CronRun::at).orElse(NEVER));
        return new Planned(schedule.name(), schedule.type(), count, skipped);
    }

    private static int madeUpFor(Locked schedule) {
        return switch (schedule.missed()) {
            case SKIP -> 0;
            case ONCE -> 1;
            case ALL -> schedule.missedLimit();
        };
    }

    /** The key names the run by its local time and zone, so that it stands there once even if the schedule was removed and defined again. */
    private int store(Session session, Locked schedule, List<CronRun> runs) throws SQLException {
        int count = 0;
        for (CronRun run : runs) {
            String key = schedule.name() + "@" + run.name() + "[" + run.zone() + "]";
            NewTask task = schedule.task(run.at()).withKey(key, NewTask.IfThere.KEEP);
            ScheduleOutcome outcome = tasks.schedule(session, schedule.type(), task, OptionalLong.of(schedule.id()));
            count += outcome instanceof ScheduleOutcome.Scheduled ? 1 : 0;
        }
        return count;
    }
}
