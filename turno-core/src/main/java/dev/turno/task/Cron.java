package dev.turno.task;

import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.time.zone.ZoneOffsetTransition;
import java.time.zone.ZoneRules;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;

/**
 * A cron line in a time zone. Five fields (minute, hour, day of month, month, day of week) or six, with the second in front.
 *
 * <p>Through clock changes: a line whose hours are fixed ({@code 30 2 * * *}) runs exactly once for each local time it names; in
 * the hour that is skipped, at the first instant after it; in the hour that comes twice, at its first pass. A line whose hours are
 * a wildcard or a step ({@code *}{@code /30 * * * *}) follows real time. Immutable.
 */
public final class Cron {

    /**
     * A February 29 that is a Monday too is 28 years away, and 40 around a year such as 2100, which has none. A line without a run in
     * this time has none.
     */
    private static final int YEARS = 41;

    private final CronFields fields;
    private final ZoneId zone;

    private Cron(CronFields fields, ZoneId zone) {
        this.fields = fields;
        this.zone = zone;
    }

    /** @throws IllegalArgumentException that names the position, if the line cannot be read, or never runs */
    public static Cron of(String line, ZoneId zone) {
        Cron cron = new Cron(CronFields.parse(line), zone);
        if (cron.nextLocal(LocalDateTime.of(2024, 1, 1, 0, 0)).isEmpty()) {
            throw new IllegalArgumentException("The cron line '" + line + "' names a day that no year has.");
        }
        return cron;
    }

    /** A zone by its name, refused in the reader's words if there is none. */
    public static ZoneId zone(String name) {
        try {
            return ZoneId.of(name);
        } catch (DateTimeException e) {
            throw new IllegalArgumentException(
                    "There is no time zone '" + name + "'; use a name such as Europe/Berlin or UTC.", e);
        }
    }

    /** The first run after {@code moment}. */
    public Optional<CronRun> first(Instant moment) {
        return fields.followsRealTime()
                ? nextInstant(moment)
                : nextFixed(moment.atZone(zone).toLocalDateTime(), moment);
    }

    /** The run after the one of this name. */
    Optional<CronRun> after(String name) {
        return fields.followsRealTime()
                ? nextInstant(Instant.parse(name))
                : nextFixed(LocalDateTime.parse(name), Instant.MIN);
    }

    /** The next {@code count} runs after {@code moment}. */
    public List<CronRun> next(Instant moment, int count) {
        List<CronRun> runs = new ArrayList<>();
        Optional<CronRun> run = first(moment);
        while (run.isPresent() && runs.size() < count) {
            runs.add(run.get());
            run = after(run.get().name());
        }
        return runs;
    }

    /** The last {@code count} runs at or before {@code until}, none of them before {@code from}. */
    List<CronRun> last(int count, CronRun from, Instant until) {
        Duration back = Duration.ofMinutes(1);
        while (true) {
            Instant start = until.minus(back);
            boolean whole = !start.isAfter(from.at());
            Deque<CronRun> runs = new ArrayDeque<>();
            Optional<CronRun> run = whole ? Optional.of(from) : first(start);
            while (run.isPresent() && !run.get().at().isAfter(until)) {
                runs.addLast(run.get());
                if (runs.size() > count) {
                    runs.removeFirst();
                }
                run = after(run.get().name());
            }
            if (whole || runs.size() == count) {
                return List.copyOf(runs);
            }
            back = back.multipliedBy(2);
        }
    }

    private Optional<CronRun> nextFixed(LocalDateTime after, Instant notBefore) {
        Optional<LocalDateTime> local = nextLocal(after);
        while (local.isPresent() && !resolve(local.get()).isAfter(notBefore)) {
            local = nextLocal(local.get()); // its first pass is over
        }
        return local.map(time -> new CronRun(time.toString(), resolve(time), time, zone));
    }

    private Instant resolve(LocalDateTime local) {
        ZoneRules rules = zone.getRules();
        List<ZoneOffset> offsets = rules.getValidOffsets(local);
        return offsets.isEmpty() ? rules.getTransition(local).getInstant() : local.toInstant(offsets.get(0));
    }

    /** Along the time line: from one clock change to the next local time is as regular as any. */
    private Optional<CronRun> nextInstant(Instant after) {
        ZoneRules rules = zone.getRules();
        Instant limit = after.plus(YEARS * 366L, ChronoUnit.DAYS);
        Instant from = after;
        while (from.isBefore(limit)) {
            ZoneOffset offset = rules.getOffset(from);
            ZoneOffsetTransition change = rules.nextTransition(from);
            Optional<LocalDateTime> local = nextLocal(LocalDateTime.ofInstant(from, offset));
            if (local.isPresent()) {
                Instant at = local.get().toInstant(offset);
                if (change == null || at.isBefore(change.getInstant())) {
                    return Optional.of(new CronRun(at.toString(), at, local.get(), zone));
                }
            }
            if (change == null) {
                return Optional.empty();
            }
            Optional<CronRun> atChange = atChange(change);
            if (atChange.isPresent()) {
                return atChange;
            }
            from = change.getInstant();
        }
        return Optional.empty();
    }

    /** The very instant of a clock change, with the local time after it. */
    private Optional<CronRun> atChange(ZoneOffsetTransition change) {
        LocalDateTime local = change.getDateTimeAfter();
        Instant at = change.getInstant();
        return nextLocal(local.minusSeconds(1)).equals(Optional.of(local))
                ? Optional.of(new CronRun(at.toString(), at, local, zone))
                : Optional.empty();
    }

    private Optional<LocalDateTime> nextLocal(LocalDateTime after) {
        return fields.next(after, after.plusYears(YEARS));
    }
}
