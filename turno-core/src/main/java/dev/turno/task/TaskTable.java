package dev.turno.task;

import dev.turno.claim.Claim;
import dev.turno.claim.ClaimableRows;
import dev.turno.claim.Finish;
import dev.turno.claim.HolderId;
import dev.turno.claim.Taken;
import dev.turno.claim.Verdict;
import dev.turno.lane.Finishes;
import dev.turno.lane.LaneTurns;
import dev.turno.lane.Wake;
import dev.turno.sql.Database;
import dev.turno.sql.Row;
import dev.turno.sql.Session;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/** The claims of one type: take what is due, finish, give back. */
final class TaskTable implements ClaimableRows<Task> {

    private static final int GIVEN_BACK_AT_ONCE = 5_000;

    private final Database database;
    private final TypeName type;
    private final Duration longestClaim;
    private final Finishes finishes;
    private final Wake wake;

    TaskTable(Database database, TypeName type, TaskOptions options, LaneTurns lanes, Wake wake) {
        this.database = database;
        this.type = type;
        this.longestClaim = options.work().longestClaim();
        this.wake = wake;
        Finishes.Rules rules = new Finishes.Rules(
                "task", "type", type.id(), type.toString(), options.keep().isEmpty(), false);
        this.finishes = new Finishes(database, rules, lanes, () -> false, wake);
        database.statements().require("task.give-back", "task.until-next");
    }

    @Override
    public List<Taken<Task>> take(HolderId holder, int limit) {
        String ifItFails = "No tasks could be taken from " + type + "; it is tried again.";
        return inOrder(
                database.dialect().takesInOneStatement()
                        ? database.once(ifItFails, session -> takeAtOnce(session, holder, limit))
                        : database.transaction(ifItFails, session -> findAndMark(session, holder, limit)));
    }

    private List<Taken<Task>> takeAtOnce(Session session, HolderId holder, int limit) throws SQLException {
        return session.sql("task.take")
                .set("type", type.id())
                .set("holder", holder.value())
                .set("max_run_us", longestClaim)
                .set("limit", limit)
                .list(row -> taken(type, row));
    }

    private List<Taken<Task>> findAndMark(Session session, HolderId holder, int limit) throws SQLException {
        List<Taken<Task>> found = new ArrayList<>();
        for (int priorityClass : dueClasses(session, holder)) {
            found.addAll(session.sql("task.take-find")
                    .set("type", type.id())
                    .set("class", priorityClass)
                    .set("limit", limit - found.size())
                    .list(row -> taken(type, row)));
            if (found.size() == limit) {
                break;
            }
        }
        if (!found.isEmpty()) {
            session.sql("task.take-mark")
                    .set("holder", holder.value())
                    .set("max_run_us", longestClaim)
                    .setAll("ids", found.stream().map(one -> one.claim().id()).toList())
                    .update();
        }
        return found;
    }

    private List<Integer> dueClasses(Session session, HolderId holder) throws SQLException {
        return session.sql("task.take-classes")
                .set("type", type.id())
                .set("holder", holder.value())
                .list(row -> row.intValue("class"));
    }

    /** A row of {@code take} or {@code bodies}. */
    static Taken<Task> taken(TypeName type, Row row) throws SQLException {
        long id = row.longValue("id");
        Task task = new Task(
                id,
                type.type(),
                row.optionalText("task_key"),
                row.text("body"),
                row.instant("task_at"),
                9 - row.intValue("class"),
                row.optionalText("lane"));
        return new Taken<>(new Claim(id, row.longValue("fence")), row.intValue("attempt"), type + "#" + id, task);
    }

    @Override
    public List<Finish> finish(HolderId holder, List<? extends Verdict> verdicts) {
        return finishes.finish(holder, verdicts);
    }

    @Override
    public Finish finishIn(Connection connection, HolderId holder, Claim claim) throws SQLException {
        return finishes.finishIn(connection, holder, claim);
    }

    @Override
    public int renew(HolderId holder, Collection<Claim> claims) {
        return finishes.renew(holder, claims, longestClaim);
    }

    @Override
    public int giveBack(HolderId holder, Collection<Claim> claims) {
        Map<Long, List<Claim>> byFence = claims.stream().collect(Collectors.groupingBy(Claim::fence));
        int given = 0;
        for (List<Claim> group : byFence.values()) {
            for (int from = 0; from < group.size(); from += GIVEN_BACK_AT_ONCE) {
                given += giveBack(group.subList(from, Math.min(group.size(), from + GIVEN_BACK_AT_ONCE)));
            }
        }
        if (given > 0) {
            wake.now().run();
        }
        return given;
    }

    private int giveBack(List<Claim> ofOneFence) {
        return database.once(
                ofOneFence.size() + " tasks of " + type
                        + " could not be given back; they are free when the lease has passed.",
                session -> session.sql("task.give-back")
                        .setClaims(ofOneFence)
                        .set("type", type.id())
                        .update());
    }

    @Override
    public int giveBackUnknown(HolderId holder, Collection<Claim> known) {
        return database.changeUnlocked(
                "Tasks of " + type + " whose taking was not answered could not be given back; it is tried again.",
                "task.give-back-unknown",
                call -> call.set("type", type.id())
                        .set("holder", holder.value())
                        .setAll("known", known.stream().map(Claim::id).toList()));
    }

    @Override
    public Optional<Duration> untilNextTurn() {
        return database.once(
                        "The next turn of " + type + " could not be read; it is tried again.",
                        session -> session.sql("task.until-next")
                                .set("type", type.id())
                                .first(row -> row.optionalDuration("wait_us")))
                .flatMap(wait -> wait);
    }

    /** An update returns its rows in no particular order. */
    private static List<Taken<Task>> inOrder(List<Taken<Task>> taken) {
        List<Taken<Task>> sorted = new ArrayList<>(taken);
        sorted.sort(Comparator.comparingInt((Taken<Task> one) -> -one.row().priority())
                .thenComparing(one -> one.row().at())
                .thenComparingLong(one -> one.claim().id()));
        return sorted;
    }
}
