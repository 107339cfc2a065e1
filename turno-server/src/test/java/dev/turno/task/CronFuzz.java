package dev.turno.task;

import static dev.turno.fuzz.Property.holds;

import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.ZoneId;
import java.util.List;

/** A cron line, and in a second line its time zone: refused by name, or with runs in order that can be found again from anywhere. */
public final class CronFuzz {

    // Before both clock changes of Europe and of America, before a leap day, and in plain summer.
    private static final List<Instant> MOMENTS = List.of(
            Instant.parse("2024-02-28T12:00:00Z"),
            Instant.parse("2026-03-07T23:30:00Z"),
            Instant.parse("2026-03-28T23:59:59Z"),
            Instant.parse("2026-07-01T00:00:00Z"),
            Instant.parse("2026-10-24T22:00:00Z"));

    private static final int RUNS = 20;

    private CronFuzz() {}

    public static void fuzzerTestOneInput(byte[] input) {
        String[] lines = new String(input, StandardCharsets.UTF_8).split("\n", 2);
        Cron cron;
        try {
            ZoneId zone = lines.length > 1 ? Cron.zone(lines[1]) : ZoneId.of("Europe/Berlin");
            cron = Cron.of(lines[0], zone);
        } catch (IllegalArgumentException refused) {
            holds(refused.getMessage() != null && !refused.getMessage().isBlank(), "a refusal says why");
            return;
        }
        MOMENTS.forEach(moment -> check(cron, moment));
    }

    private static void check(Cron cron, Instant moment) {
        List<CronRun> runs = cron.next(moment, RUNS);
        holds(!runs.isEmpty(), "a line that is accepted has a next run");
        Instant before = moment;
        for (int i = 0; i < runs.size(); i++) {
            CronRun run = runs.get(i);
            holds(i == 0 ? run.at().isAfter(before) : !run.at().isBefore(before), "runs go forward in time");
            holds(cron.first(run.at().minusSeconds(1)).orElseThrow().at().equals(run.at()), "a run is found again");
            holds(!run.words().isBlank(), "a run has words");
            before = run.at();
        }
        holds(runs.stream().map(CronRun::name).distinct().count() == runs.size(), "each run has a name of its own");
        int last = Math.min(3, runs.size());
        List<CronRun> tail = cron.last(last, runs.get(0), before);
        holds(tail.get(tail.size() - 1).at().equals(before), "the last run is found from behind");
    }
}
