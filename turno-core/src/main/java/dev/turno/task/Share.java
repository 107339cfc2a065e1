package dev.turno.task;

import dev.turno.claim.Claim;
import dev.turno.claim.HolderId;
import dev.turno.claim.Taken;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
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
    private static final int LOADED_AT_ONCE_LEAST = 16;
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
    private long room; // for characters
    private boolean full;

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

    /** Reads what the share is now, {@code most} of it, and forgets what is no longer in it. */
    void look(HolderId holder, Duration window, int most) {
        due = most < 1 ? List.of() : table.look(holder, window, most);
        full = due.size() >= most;
        Set<Claim> claims = due.stream().map(ShareTable.Due::claim).collect(Collectors.toSet());
        loaded.values().stream()
                .filter(one -> !claims.contains(one.claim()))
                .toList()
                .forEach(this::forget);
    }

    /** True if there may be more in the share than fits into memory. */
    boolean isFull() {
        return full;
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

    /** Loads bodies of what is due soon, as far as there is room beside the {@code armed} characters. */
    void load(HolderId holder, Instant now, long armed) {
        room = options.memory() - armed;
        Instant until = now.plus(LOAD_AHEAD);
        List<ShareTable.Due> missing = due.stream()
                .filter(one -> !one.at().isAfter(until) && !loaded.containsKey(one.claim()))
                .toList();
        for (int from = 0, to; from < missing.size() && characters < room; from = to) {
            to = Math.min(missing.size(), from + atOnce(room - characters));
            table.load(holder, missing.subList(from, to)).forEach(this::remember);
        }
    }

    /** As many as fit even if each is as long as a body can be. */
    private static int atOnce(long room) {
        return (int) Math.max(LOADED_AT_ONCE_LEAST, Math.min(LOADED_AT_ONCE, room / TaskOptions.LONGEST_BODY));
    }

    /** Takes out of memory what is to be armed now, in the order in which it is to be started. */
    List<Taken<Task>> takeNearest(Instant now) {
        Set<Instant> near = near(counts, now);
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

    /** Instants that are to be armed now. A peak is armed before a single task that comes a moment earlier. */
    static Set<Instant> near(NavigableMap<Instant, Integer> counts, Instant now) {
        return counts.headMap(now.plus(ARM_AHEAD_MOST), true).entrySet().stream()
                .filter(one -> !now.isBefore(armAt(one)))
                .map(Map.Entry::getKey)
                .collect(Collectors.toSet());
    }

    /** When the next ones are to be armed. */
    static Optional<Instant> nextArming(NavigableMap<Instant, Integer> counts) {
        return counts.isEmpty()
                ? Optional.empty()
                : counts.headMap(counts.firstKey().plus(ARM_AHEAD_MOST), true).entrySet().stream()
                        .map(Share::armAt)
                        .min(Comparator.naturalOrder());
    }

    private static Instant armAt(Map.Entry<Instant, Integer> next) {
        Duration ahead = ARM_AHEAD.plus(ARM_AHEAD_EACH.multipliedBy(next.getValue()));
        return next.getKey().minus(ahead.compareTo(ARM_AHEAD_MOST) < 0 ? ahead : ARM_AHEAD_MOST);
    }

    /** When something is to be armed or loaded next. */
    Optional<Instant> nextMove() {
        Optional<Instant> arming = nextArming(counts);
        Optional<Instant> loading = characters >= room
                ? Optional.empty()
                : due.stream()
                        .filter(one -> !loaded.containsKey(one.claim()))
                        .findFirst()
                        .map(one -> one.at().minus(LOAD_AHEAD));
        return Stream.of(arming, loading).flatMap(Optional::stream).min(Comparator.naturalOrder());
    }
}
