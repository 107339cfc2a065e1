package dev.turno.certification.calendar;

import dev.turno.certification.sql.Sql;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneId;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Business days: rules, and days that were loaded and win over them. Shared by threads. What was loaded by another instance is
 * noticed within five seconds; the same look tells the database's time, by which "today" is decided.
 */
public final class Calendars {

    public static final ZoneId ZONE = ZoneId.of("America/Mexico_City");
    private static final Duration FRESH = Duration.ofSeconds(5);
    private static final int LONGEST_SEARCH = 366;
    private static final LocalDate FIRST = LocalDate.of(1900, 1, 1);
    private static final LocalDate LAST = LocalDate.of(2999, 12, 31);

    /** What was known at one moment; nanos is this process's clock then. */
    private record Known(Instant now, long nanos, Map<CalendarSource, Map<LocalDate, Day>> loaded) {}

    private final Sql sql;
    private final Map<String, CalendarSource> processes;
    private volatile Optional<Known> known = Optional.empty();

    /** @param processes which calendar each process follows, for example P00020 CONSAR's */
    public Calendars(Sql sql, Map<String, CalendarSource> processes) {
        this.sql = sql;
        this.processes = Map.copyOf(processes);
    }

    /** The calendar that a process follows. */
    public CalendarSource of(String process) {
        return Optional.ofNullable(processes.get(process))
                .orElseThrow(() -> new IllegalArgumentException("No calendar is configured for process " + process
                        + "; set turno.certification.calendars." + process + " to one of CONSAR, CNBV."));
    }

    /** Today in Mexico City, by the database's clock. */
    public LocalDate today() {
        Known now = known();
        return localDate(now.now().plusNanos(System.nanoTime() - now.nanos()));
    }

    static LocalDate localDate(Instant moment) {
        return LocalDate.ofInstant(moment, ZONE);
    }

    public Day day(CalendarSource source, LocalDate date) {
        requireRange(date);
        Day loaded = known().loaded().getOrDefault(source, Map.of()).get(date);
        if (loaded != null) {
            return loaded;
        }
        Optional<String> closed = source.closedBecause(date);
        return new Day(source, date, closed.isEmpty(), closed.orElse(""), "");
    }

    /** The first business day after this one. */
    public Day next(CalendarSource source, LocalDate date) {
        for (int ahead = 1; ahead <= LONGEST_SEARCH; ahead++) {
            Day day = day(source, date.plusDays(ahead));
            if (day.open()) {
                return day;
            }
        }
        throw new IllegalStateException("The calendar of " + source + " has no business day in the year after " + date
                + "; look at what was loaded for it.");
    }

    /** From now on this day is as said, whatever the rules are. */
    public void put(Day day) {
        requireRange(day.date());
        int unused = store(day);
        known = Optional.empty();
    }

    /**
     * Replaces all that was loaded for a year, in one transaction.
     *
     * @throws IllegalArgumentException if a day is of another year or there twice, or there is none; nothing was changed
     */
    public void load(CalendarSource source, int year, List<Day> days) {
        requireYear(year);
        requireDaysOf(source, year, days);
        int unused = sql.transaction(connection -> {
            int removed = sql.call("calendar.remove-between")
                    .param("calendar", source.name())
                    .param("first", LocalDate.of(year, 1, 1))
                    .param("last", LocalDate.of(year, 12, 31))
                    .update();
            days.forEach(this::store);
            return removed;
        });
        known = Optional.empty();
    }

    private static void requireDaysOf(CalendarSource source, int year, List<Day> days) {
        if (days.isEmpty()) {
            throw new IllegalArgumentException("La lista no tiene días. No se cambió nada.");
        }
        Set<LocalDate> seen = new HashSet<>();
        for (Day day : days) {
            if (day.date().getYear() != year || day.source() != source) {
                throw new IllegalArgumentException(
                        "El día " + day.date() + " no es de " + year + ". No se cambió nada.");
            }
            if (!seen.add(day.date())) {
                throw new IllegalArgumentException(
                        "El día " + day.date() + " aparece más de una vez. No se cambió nada.");
            }
        }
    }

    private int store(Day day) {
        return sql.call("calendar.put")
                .param("calendar", day.source().name())
                .param("on_day", day.date())
                .param("open_day", day.open())
                .param("reason", day.reason())
                .param("reference", day.reference())
                .update();
    }

    /** What was loaded for a year, in order. */
    public List<Day> loaded(CalendarSource source, int year) {
        requireYear(year);
        return read(source, LocalDate.of(year, 1, 1), LocalDate.of(year, 12, 31));
    }

    /** The year that begins within three months, or has begun, if nothing was loaded for it: somebody has to. */
    public Optional<Integer> yearWithoutDays(CalendarSource source) {
        int year = today().plusMonths(3).getYear();
        boolean any = known().loaded().getOrDefault(source, Map.of()).keySet().stream()
                .anyMatch(day -> day.getYear() == year);
        return any ? Optional.empty() : Optional.of(year);
    }

    private Known known() {
        Optional<Known> seen = known;
        if (seen.isPresent() && System.nanoTime() - seen.get().nanos() < FRESH.toNanos()) {
            return seen.get();
        }
        Known fresh = look();
        known = Optional.of(fresh);
        return fresh;
    }

    private Known look() {
        Map<CalendarSource, Map<LocalDate, Day>> loaded = new EnumMap<>(CalendarSource.class);
        for (CalendarSource source : CalendarSource.values()) {
            Map<LocalDate, Day> days = new HashMap<>();
            read(source, FIRST, LAST).forEach(day -> days.put(day.date(), day));
            loaded.put(source, days);
        }
        long nanos = System.nanoTime();
        Instant now = sql.call("calendar.now")
                .query((row, number) -> sql.moment(row, "now_at").orElseThrow())
                .single();
        return new Known(now, nanos, loaded);
    }

    private List<Day> read(CalendarSource source, LocalDate first, LocalDate last) {
        return sql.call("calendar.days")
                .param("calendar", source.name())
                .param("first", first)
                .param("last", last)
                .query((row, number) -> new Day(
                        source,
                        row.getObject("on_day", LocalDate.class),
                        row.getBoolean("open_day"),
                        row.getString("reason"),
                        row.getString("reference")))
                .list();
    }

    private static void requireRange(LocalDate date) {
        requireYear(date.getYear());
    }

    private static void requireYear(int year) {
        if (year < FIRST.getYear() || year > LAST.getYear()) {
            throw new IllegalArgumentException("El año " + year + " está fuera del calendario: use " + FIRST.getYear()
                    + " a " + LAST.getYear() + ". No se cambió nada.");
        }
    }
}
