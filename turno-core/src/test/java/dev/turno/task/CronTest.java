package dev.turno.task;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class CronTest {

    private static final ZoneId UTC = ZoneOffset.UTC;
    private static final ZoneId BERLIN = ZoneId.of("Europe/Berlin");
    private static final ZoneId SAO_PAULO = ZoneId.of("America/Sao_Paulo");
    private static final ZoneId LORD_HOWE = ZoneId.of("Australia/Lord_Howe");

    private static Instant at(String text) {
        return Instant.parse(text);
    }

    private static List<String> next(String line, ZoneId zone, String after, int count) {
        return Cron.of(line, zone).next(at(after), count).stream()
                .map(run -> run.at().toString())
                .toList();
    }

    // ---- reading

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "* * * * *             | 2026-01-01T00:01:00Z",
                "*/15 * * * *          | 2026-01-01T00:15:00Z",
                "5/20 * * * *          | 2026-01-01T00:05:00Z",
                "0 9-17 * * *          | 2026-01-01T09:00:00Z",
                "0 9-17/4 * * *        | 2026-01-01T09:00:00Z",
                "30 2 * * *            | 2026-01-01T02:30:00Z",
                "0 0 15 * *            | 2026-01-15T00:00:00Z",
                "0 0 1 jan *           | 2027-01-01T00:00:00Z",
                "0 0 1 FEB-mar *       | 2026-02-01T00:00:00Z",
                "0 0 * * SUN           | 2026-01-04T00:00:00Z",
                "0 0 * * 7             | 2026-01-04T00:00:00Z",
                "0 0 * * 0             | 2026-01-04T00:00:00Z",
                "0 0 * * 5-7           | 2026-01-02T00:00:00Z",
                "0 0 * * mon,wed       | 2026-01-05T00:00:00Z",
                "0 0 ? * MON           | 2026-01-05T00:00:00Z",
                "0 0 13 * 5            | 2026-01-02T00:00:00Z",
                "0 0 29 2 *            | 2028-02-29T00:00:00Z",
                "0 0 31 * *            | 2026-01-31T00:00:00Z",
                "59 23 31 12 *         | 2026-12-31T23:59:00Z",
                "0 0 29/9 2 1          | 2044-02-29T00:00:00Z",
                "*/10 * * * * *        | 2026-01-01T00:00:10Z",
                "30 15 10 * * *        | 2026-01-01T10:15:30Z",
                "0 0 0 1 1 *           | 2027-01-01T00:00:00Z",
                "@hourly               | 2026-01-01T01:00:00Z",
                "@daily                | 2026-01-02T00:00:00Z",
                "@Weekly               | 2026-01-04T00:00:00Z",
                "@monthly              | 2026-02-01T00:00:00Z",
                "@yearly               | 2027-01-01T00:00:00Z",
            })
    void a_line_names_its_next_instant(String line, String first) {
        assertThat(next(line, UTC, "2026-01-01T00:00:00Z", 1)).containsExactly(first);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "60 * * * *        | position 1: 60 is no minute; use 0 to 59",
                "* 24 * * *        | position 3: 24 is no hour; use 0 to 23",
                "* * 0 * *         | position 5: 0 is no day of month; use 1 to 31",
                "* * * 13 *        | position 7: 13 is no month; use 1 to 12",
                "* * * * 8         | position 9: 8 is no day of week; use 0 to 7",
                "* * * * FRY       | position 9: 'FRY' is no day of week",
                "1,2,x * * * *     | position 5: 'x' is no minute",
                "1,,2 * * * *      | position 3: '' is no minute",
                "5-1 * * * *       | position 1: the range '5-1' ends before it begins",
                "*/0 * * * *       | position 3: 0 is no minute; use 1 to 59",
                "*/x * * * *       | position 3: 'x' is no minute",
                "1- * * * *        | position 3: '' is no minute",
                "* * L * *         | position 5: 'L' is no day of month",
                "? * * * *         | position 1: '?' is no minute",
                "0 0 30 2 *        | names a day that no year has",
                "* * * *           | has 4 fields",
                "* * * * * * *     | has 7 fields",
                "@often            | has 1 fields",
                "-1 * * * *        | position 1: '' is no minute",
            })
    void a_line_that_cannot_be_read_is_refused_with_the_position(String line, String message) {
        assertThatThrownBy(() -> Cron.of(line, UTC))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(message);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "   ", "\0", "é é é é é"})
    void nonsense_is_refused(String line) {
        assertThatThrownBy(() -> Cron.of(line, UTC)).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void a_line_without_end_is_refused() {
        assertThatThrownBy(() -> Cron.of("*,".repeat(500), UTC)).hasMessageContaining("at most 200");
    }

    @Test
    void a_zone_that_does_not_exist_is_refused() {
        assertThatThrownBy(() -> Cron.zone("Europe/Atlantis")).hasMessageContaining("'Europe/Atlantis'");
    }

    @Test
    void nothing_that_looks_like_a_line_hangs_or_fails_otherwise() {
        Random random = new Random(4);
        String signs = "0123456789*,-/? LWJANSU@#";
        for (int i = 0; i < 20_000; i++) {
            String line = random.ints(random.nextInt(1, 24), 0, signs.length())
                    .mapToObj(n -> signs.substring(n, n + 1))
                    .collect(Collectors.joining());
            try {
                assertThat(Cron.of(line, BERLIN).next(at("2026-03-28T00:00:00Z"), 3))
                        .isNotEmpty();
            } catch (IllegalArgumentException e) {
                assertThat(e).hasMessageContaining("cron line");
            }
        }
    }

    /** A slow but plain reading of the same rules, minute by minute. */
    @Test
    void it_agrees_with_looking_at_every_minute() {
        Random random = new Random(7);
        for (int i = 0; i < 60; i++) {
            int minute = random.nextInt(60);
            int hour = random.nextInt(24);
            int day = random.nextInt(1, 29);
            int weekday = random.nextInt(7);
            String line = minute + " " + hour + " " + day + " * " + weekday;
            List<Instant> plain = new ArrayList<>();
            LocalDateTime time = LocalDateTime.of(2026, 1, 1, 0, 1);
            while (time.getYear() == 2026 && plain.size() < 10) {
                boolean onDay =
                        time.getDayOfMonth() == day || time.getDayOfWeek().getValue() % 7 == weekday;
                if (time.getMinute() == minute && time.getHour() == hour && onDay) {
                    plain.add(time.toInstant(ZoneOffset.UTC));
                }
                time = time.plusMinutes(1);
            }
            assertThat(Cron.of(line, UTC).next(at("2026-01-01T00:00:00Z"), plain.size()))
                    .as(line)
                    .extracting(CronRun::at)
                    .isEqualTo(plain);
        }
    }

    // ---- clock changes

    @Test
    void a_fixed_hour_that_is_skipped_runs_at_the_first_instant_after_it() {
        assertThat(next("30 2 * * *", BERLIN, "2026-03-28T12:00:00Z", 2))
                .containsExactly("2026-03-29T01:00:00Z", "2026-03-30T00:30:00Z");
        assertThat(next("30 0 * * *", SAO_PAULO, "2018-11-03T12:00:00Z", 2))
                .containsExactly("2018-11-04T03:00:00Z", "2018-11-05T02:30:00Z");
        assertThat(next("15 2 * * *", LORD_HOWE, "2026-10-02T20:00:00Z", 2))
                .containsExactly("2026-10-03T15:30:00Z", "2026-10-04T15:15:00Z");
    }

    @Test
    void a_fixed_hour_that_comes_twice_runs_at_its_first_pass() {
        assertThat(next("30 2 * * *", BERLIN, "2026-10-24T12:00:00Z", 2))
                .containsExactly("2026-10-25T00:30:00Z", "2026-10-26T01:30:00Z");
        assertThat(next("45 1 * * *", LORD_HOWE, "2026-04-03T20:00:00Z", 2))
                .containsExactly("2026-04-04T14:45:00Z", "2026-04-05T15:15:00Z");
    }

    @Test
    void who_asks_between_the_two_passes_is_not_given_the_first_again() {
        assertThat(next("30 2 * * *", BERLIN, "2026-10-25T01:10:00Z", 1)).containsExactly("2026-10-26T01:30:00Z");
    }

    @Test
    void wildcard_and_step_hours_follow_real_time_through_both_changes() {
        for (String line : List.of("*/30 * * * *", "0,30 */1 * * *", "0/30 0/1 * * *")) {
            for (String change : List.of("2026-03-29T01:00:00Z", "2026-10-25T01:00:00Z")) {
                List<Instant> runs = Cron.of(line, BERLIN).next(at(change).minusSeconds(3 * 3600 + 1), 12).stream()
                        .map(CronRun::at)
                        .toList();
                for (int i = 1; i < runs.size(); i++) {
                    assertThat(Duration.between(runs.get(i - 1), runs.get(i)))
                            .as("%s around %s", line, change)
                            .isEqualTo(Duration.ofMinutes(30));
                }
            }
        }
    }

    @Test
    void every_second_goes_on_through_a_change() {
        assertThat(next("* * * * * *", BERLIN, "2026-03-29T00:59:58Z", 3))
                .containsExactly("2026-03-29T00:59:59Z", "2026-03-29T01:00:00Z", "2026-03-29T01:00:01Z");
    }

    @ParameterizedTest
    @CsvSource({
        "30 2 * * *, Europe/Berlin, 2026",
        "30 0 * * *, America/Sao_Paulo, 2018",
        "15 2 * * *, Australia/Lord_Howe, 2026"
    })
    void once_a_day_is_365_times_a_year(String line, String zone, int year) {
        ZoneId there = ZoneId.of(zone);
        Instant start = LocalDateTime.of(year, 1, 1, 0, 0).atZone(there).toInstant();
        Instant end = LocalDateTime.of(year + 1, 1, 1, 0, 0).atZone(there).toInstant();

        List<CronRun> runs = Cron.of(line, there).next(start.minusSeconds(1), 400).stream()
                .filter(run -> run.at().isBefore(end))
                .toList();

        assertThat(runs).hasSize(365);
        assertThat(runs.stream()
                        .map(run -> run.at().atZone(there).toLocalDate())
                        .distinct())
                .hasSize(365);
        assertThat(runs).extracting(CronRun::name).doesNotHaveDuplicates();
        assertThat(runs).extracting(CronRun::at).doesNotHaveDuplicates().isSorted();
    }

    @Test
    void runs_are_shown_in_words() {
        assertThat(Cron.of("30 2 * * *", BERLIN).next(at("2026-03-28T12:00:00Z"), 1))
                .extracting(CronRun::words)
                .containsExactly("Sunday, 29 March 2026, 03:00:00 Europe/Berlin (02:30:00 does not exist on that day)");
        assertThat(Cron.of("30 2 * * *", BERLIN).next(at("2026-10-24T12:00:00Z"), 2))
                .extracting(CronRun::words)
                .containsExactly(
                        "Sunday, 25 October 2026, 02:30:00 Europe/Berlin (+02:00; the hour comes twice on that day)",
                        "Monday, 26 October 2026, 02:30:00 Europe/Berlin");
    }

    @Test
    void the_last_runs_before_a_moment_are_found_without_walking_through_all() {
        Cron everySecond = Cron.of("* * * * * *", UTC);
        CronRun longAgo = everySecond.first(at("1990-01-01T00:00:00Z")).orElseThrow();

        assertThat(everySecond.last(3, longAgo, at("2026-01-01T00:00:00Z")))
                .extracting(run -> run.at().toString())
                .containsExactly("2025-12-31T23:59:58Z", "2025-12-31T23:59:59Z", "2026-01-01T00:00:00Z");
        Cron yearly = Cron.of("@yearly", UTC);
        CronRun first = yearly.first(at("2023-06-01T00:00:00Z")).orElseThrow();
        assertThat(yearly.last(10, first, at("2026-06-01T00:00:00Z"))).hasSize(3);
    }
}
