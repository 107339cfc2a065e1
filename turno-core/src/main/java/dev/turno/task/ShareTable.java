package dev.turno.task;

import dev.turno.claim.Claim;
import dev.turno.claim.HolderId;
import dev.turno.claim.Taken;
import dev.turno.sql.Database;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/** What is in one holder's share of one type. */
final class ShareTable {

    /** A task of the share, without its body. */
    record Due(Claim claim, Instant at) {}

    private static final int BODIES_AT_ONCE = 1_000;
    private static final int ARMED_AT_ONCE = 5_000;

    private final Database database;
    private final TypeName type;
    private final Duration longestClaim;

    ShareTable(Database database, TypeName type, Duration longestClaim) {
        this.database = database;
        this.type = type;
        this.longestClaim = longestClaim;
        database.statements().require("task.look", "task.bodies", "task.arm", "task.armed");
    }

    /** The first {@code limit} that are due within {@code ahead}, in the order of their instants. */
    List<Due> look(HolderId holder, Duration ahead, int limit) {
        return database.once(
                "The share of " + type + " could not be looked at; it is tried again.",
                session -> session.sql("task.look")
                        .set("type", type.id())
                        .set("holder", holder.value())
                        .set("ahead_us", ahead)
                        .set("limit", limit)
                        .list(row -> new Due(
                                new Claim(row.longValue("id"), row.longValue("fence")), row.instant("task_at"))));
    }

    /** Whole tasks, of those that are still in the share; the attempt is the one that arming makes it. */
    List<Taken<Task>> load(HolderId holder, List<Due> wanted) {
        List<Taken<Task>> loaded = new ArrayList<>(wanted.size());
        for (int from = 0; from < wanted.size(); from += BODIES_AT_ONCE) {
            List<Due> part = wanted.subList(from, Math.min(wanted.size(), from + BODIES_AT_ONCE));
            loaded.addAll(database.once(
                    "The share of " + type + " could not be loaded; it is tried again.",
                    session -> session.sql("task.bodies")
                            .set("type", type.id())
                            .set("holder", holder.value())
                            .setAll(
                                    "ids",
                                    part.stream().map(due -> due.claim().id()).toList())
                            .list(row -> TaskTable.taken(type, row))));
        }
        loaded.replaceAll(one -> new Taken<>(one.claim(), one.attempt() + 1, one.key(), one.row()));
        return loaded;
    }

    /** Makes them DOING under their holder if their fences are still good; answers those that are. */
    Set<Claim> arm(HolderId holder, Collection<Claim> claims) {
        Set<Claim> armed = new HashSet<>();
        Map<Long, List<Claim>> byFence = claims.stream().collect(Collectors.groupingBy(Claim::fence));
        for (List<Claim> group : byFence.values()) {
            for (int from = 0; from < group.size(); from += ARMED_AT_ONCE) {
                armed.addAll(armGroup(holder, group.subList(from, Math.min(group.size(), from + ARMED_AT_ONCE))));
            }
        }
        return armed;
    }

    /** Nearly always all are armed, which the count alone tells. */
    private Collection<Claim> armGroup(HolderId holder, List<Claim> group) {
        String ifItFails =
                group.size() + " tasks of " + type + " may not have been armed; others take them, a little late.";
        int count = database.once(
                ifItFails,
                session -> session.sql("task.arm")
                        .setClaims(group)
                        .set("type", type.id())
                        .set("holder", holder.value())
                        .set("max_run_us", longestClaim)
                        .update());
        if (count == group.size()) {
            return group;
        }
        Set<Long> ids = new HashSet<>(database.once(
                ifItFails,
                session -> session.sql("task.armed")
                        .setClaims(group)
                        .set("type", type.id())
                        .set("holder", holder.value())
                        .list(row -> row.longValue("id"))));
        return group.stream().filter(claim -> ids.contains(claim.id())).toList();
    }
}
