package dev.turno.task;

import dev.turno.claim.Claim;
import dev.turno.claim.HolderId;
import dev.turno.claim.Taken;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * This process's share of one type in memory: what is due within the window without bodies, what is due soon with them. Within
 * bounds; what does not fit is taken dynamically when it is due. Not shared by threads.
 */
final class Share {

    /** Bodies are loaded so long ahead. */
    private static final Duration LOAD_AHEAD = Duration.ofSeconds(60);

    /** Arming begins so long ahead, and a little earlier for each task. */
    private static final Duration ARM_AHEAD = Duration.ofSeconds(1);

    private static final Duration ARM_AHEAD_EACH = Duration.ofNanos(100_000);
    private static final Duration ARM_AHEAD_MOST = Duration.ofSeconds(10);
    private static final int LOADED_AT_ONCE = 1_000;
    private static final Comparator<Taken<Task>> FIRST_DUE = Comparator.comparing(
                    (Taken<Task> one) -> one.row().at())
            .thenComparing(one -> -one.row().priority())
            .thenComparing(one -> one.claim().id());

    private final ShareTable table;
    private final TaskOptions options;
    private final Map<Claim, Taken<Task>> loaded = new HashMap<>();
    private final NavigableMap<Instant, Integer> counts = new TreeMap<>(); // of what is loaded
    private List<ShareTable.Due> due = List.of();
    private long characters;

    Share(ShareTable table, TaskOptions options) {
        this.table = table;
        this.options = options;
    }

    void forgetAll() {
        due = List.of();
        loaded.clear();
        counts.clear();
        characters = 0;
    }

    /** Reads what the share is now, and forgets what is no longer in it. */
    void look(HolderId holder, Duration window) {
        due = table.look(holder, window, options.inMemory());
        Set<Claim> claims = due.stream().map(ShareTable.Due::claim).collect(Collectors.toSet());
        loaded.values().stream()
                .filter(one -> !claims.contains(one.claim()))
                .toList()
                .forEach(this::forget);
    }

    /** True if there may be more in the share than fits into memory. */
    boolean isFull() {
        return due.size() >= options.inMemory();
    }

    private void remember(Taken<Task> one) {
        if (loaded.put(one.claim(), one) == null) {
            counts.merge(one.row().at(), 1, Integer::sum);
            characters += one.row().body().length();
        }
    }

    private void forget(Taken<Task> one) {
        if (loaded.remove(one.claim()) != null) {
            counts.computeIfPresent(one.row().at(), (at, count) -> count == 1 ? null : count - 1);
            characters -= one.row().body().length();
        }
    }

    /** How many are due at which instant, as far as this process has looked. */
    Map<Instant, Integer> upcoming() {
        Map<Instant, Integer> upcoming = new TreeMap<>();
        due.forEach(one -> upcoming.merge(one.at(), 1, Integer::sum));
        return upcoming;
    }

    /** Loads bodies of what is due soon, as far as there is room. */
    void load(HolderId holder, Instant now) {
        Instant until = now.plus(LOAD_AHEAD);
        List<ShareTable.Due> missing = due.stream()
                .filter(one -> !one.at().isAfter(until) && !loaded.containsKey(one.claim()))
                .toList();
        for (int from = 0; from < missing.size() && characters < options.memory(); from += LOADED_AT_ONCE) {
            List<ShareTable.Due> part = missing.subList(from, Math.min(missing.size(), from + LOADED_AT_ONCE));
            table.load(holder, part).forEach(this::remember);
        }
    }

    /** Takes out of memory what is to be armed now, in the order in which it is to be started. */
    List<Taken<Task>> takeNearest(Instant now) {
        Set<Instant> near = new HashSet<>();
        for (Map.Entry<Instant, Integer> next : counts.entrySet()) {
            if (now.isBefore(armAt(next))) {
                break;
            }
            near.add(next.getKey());
        }
        if (near.isEmpty()) {
            return List.of();
        }
        List<Taken<Task>> taken = new ArrayList<>(loaded.values());
        taken.removeIf(one -> !near.contains(one.row().at()));
        taken.sort(FIRST_DUE);
        taken.forEach(this::forget);
        due = due.stream()
                .filter(one -> !near.contains(one.at()) || loaded.containsKey(one.claim()))
                .toList();
        return taken;
    }

    private static Instant armAt(Map.Entry<Instant, Integer> next) {
        Duration ahead = ARM_AHEAD.plus(ARM_AHEAD_EACH.multipliedBy(next.getValue()));
        return next.getKey().minus(ahead.compareTo(ARM_AHEAD_MOST) < 0 ? ahead : ARM_AHEAD_MOST);
    }

    /** When something is to be armed or loaded next. */
    Optional<Instant> nextMove() {
        Optional<Instant> arming = counts.isEmpty() ? Optional.empty() : Optional.of(armAt(counts.firstEntry()));
        Optional<Instant> loading = characters >= options.memory()
                ? Optional.empty()
                : due.stream()
                        .filter(one -> !loaded.containsKey(one.claim()))
                        .findFirst()
                        .map(one -> one.at().minus(LOAD_AHEAD));
        return Stream.of(arming, loading).flatMap(Optional::stream).min(Comparator.naturalOrder());
    }
}
