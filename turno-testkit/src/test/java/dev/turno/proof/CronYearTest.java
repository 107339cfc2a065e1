package dev.turno.proof;

import static org.assertj.core.api.Assertions.assertThat;

import dev.turno.Turno;
import dev.turno.TurnoOptions;
import dev.turno.claim.Taken;
import dev.turno.claim.Verdict;
import dev.turno.task.Cron;
import dev.turno.task.CronRun;
import dev.turno.task.NewSchedule;
import dev.turno.task.Task;
import dev.turno.task.TaskOptions;
import dev.turno.testkit.database.FreshDatabase;
import dev.turno.testkit.database.OnEveryDatabase;
import dev.turno.testkit.database.TestDatabase;
import dev.turno.testkit.node.SettableTime;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A year of cron on three nodes that plan and run beside each other. */
@Tag("processes")
@OnEveryDatabase
class CronYearTest {

    private static final TaskOptions OPTIONS = TaskOptions.defaults();
    private static final Duration AHEAD = Duration.ofMinutes(6);

    private final FreshDatabase database;

    CronYearTest(FreshDatabase database) {
        this.database = database;
    }

    /** The servers walk through the whole year at full length only; the weeks of the clock changes always. */
    private boolean isWholeYear() {
        return Scale.isFull() || database.kind() == TestDatabase.H2;
    }

    @Test
    void a_fixed_hour_runs_exactly_once_on_each_day_of_the_year() {
        assertOncePerDay("30 2 * * *", "Europe/Berlin", 2026);
        assertOncePerDay("30 0 * * *", "America/Sao_Paulo", 2018);
        assertOncePerDay("15 2 * * *", "Australia/Lord_Howe", 2026);
    }

    private void assertOncePerDay(String line, String zone, int year) {
        ZoneId there = ZoneId.of(zone);
        List<Instant> ran = new ArrayList<>();
        int days = 0;
        for (LocalDate[] part : parts(there, year)) {
            days += (int) Duration.between(part[0].atStartOfDay(), part[1].atStartOfDay())
                    .toDays();
            ran.addAll(run(line, there, start(part[0], there), start(part[1], there)));
        }

        assertThat(ran).hasSize(days);
        assertThat(ran.stream().map(at -> at.atZone(there).toLocalDate()).distinct())
                .hasSize(days);
        Figures.say(
                "cron year",
                database.kind(),
                "'" + line + "' " + zone + " " + year + ": " + ran.size() + " runs on " + days
                        + " days, three nodes, twice 0");
    }

    private static Instant start(LocalDate day, ZoneId zone) {
        return day.atStartOfDay(zone).toInstant();
    }

    private List<LocalDate[]> parts(ZoneId zone, int year) {
        LocalDate first = LocalDate.of(year, 1, 1);
        if (isWholeYear()) {
            return List.<LocalDate[]>of(new LocalDate[] {first, first.plusYears(1)});
        }
        List<LocalDate[]> parts = new ArrayList<>();
        Instant change = start(first, zone);
        for (int i = 0; i < 2; i++) {
            change = zone.getRules().nextTransition(change).getInstant();
            LocalDate day = change.atZone(zone).toLocalDate();
            parts.add(new LocalDate[] {day.minusDays(3), day.plusDays(4)});
        }
        return parts;
    }

    @Test
    void every_thirty_minutes_follows_real_time_through_both_changes() {
        for (String change : List.of("2026-03-29T01:00:00Z", "2026-10-25T01:00:00Z")) {
            Instant from = Instant.parse(change).minusSeconds(6 * 3600 + 1);
            List<Instant> ran = run("*/30 * * * *", ZoneId.of("Europe/Berlin"), from, from.plusSeconds(12 * 3600));

            assertThat(ran).hasSize(24);
            for (int i = 1; i < ran.size(); i++) {
                assertThat(Duration.between(ran.get(i - 1), ran.get(i))).isEqualTo(Duration.ofMinutes(30));
            }
        }
    }

    /** Lets three nodes live from {@code from} until {@code to}; answers the instants of the runs, in order. */
    private List<Instant> run(String line, ZoneId zone, Instant from, Instant to) {
        SettableTime time = new SettableTime(from.minusSeconds(1));
        String name = "s" + from.getEpochSecond() + "-" + zone.getId().length();
        List<Turno> nodes = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            nodes.add(Turno.open(
                    database.dataSource(),
                    TurnoOptions.defaults()
                            .withNode("n" + i)
                            .withLease(Duration.ofHours(1))
                            .withNamespace(name)
                            .withTime(time)));
            nodes.get(i).tasks().crons().define(NewSchedule.of(name, line, zone.getId(), "report", "{}"));
        }
        Map<String, Integer> times = new HashMap<>();
        List<Instant> ran = new ArrayList<>();
        int turn = 0;
        for (CronRun run : Cron.of(line, zone).next(from.minusSeconds(1), 20_000)) {
            if (!run.at().isBefore(to)) {
                break;
            }
            advance(time, run.at().minusSeconds(60));
            nodes.forEach(node -> node.tasks().crons().plan(AHEAD));
            advance(time, run.at());
            for (Taken<Task> one : finishDue(nodes.get(turn++ % 3))) {
                times.merge(one.row().key().orElseThrow(), 1, Integer::sum);
                ran.add(one.row().at());
            }
        }
        assertThat(times).allSatisfy((key, count) -> assertThat(count).isEqualTo(1));
        return ran;
    }

    private static void advance(SettableTime time, Instant moment) {
        if (moment.isAfter(time.now().orElseThrow())) {
            time.setTo(moment);
        }
    }

    private static List<Taken<Task>> finishDue(Turno node) {
        var rows = node.tasks().rows("report", OPTIONS);
        List<Taken<Task>> taken = rows.take(node.holder(), 100);
        if (!taken.isEmpty()) {
            rows.finish(
                    node.holder(),
                    taken.stream().map(one -> new Verdict.Done(one.claim())).toList());
        }
        return taken;
    }
}
