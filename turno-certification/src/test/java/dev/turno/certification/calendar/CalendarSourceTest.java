package dev.turno.certification.calendar;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.time.LocalDate;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class CalendarSourceTest {

    @ParameterizedTest
    @CsvSource({
        "2024-12-12, true, false",
        "2025-04-17, false, false",
        "2025-04-18, false, false",
        "2026-11-02, true, false",
        "2027-04-30, true, true",
        "2027-05-01, false, false",
        "2027-12-24, true, true",
        "2024-10-01, false, false",
        "2025-10-01, true, true",
        "2030-10-01, false, false",
        "2018-12-01, false, false",
        "2026-01-01, false, false",
        "2026-02-02, false, false",
        "2026-02-05, true, true",
        "2026-03-16, false, false",
        "2026-04-02, false, false",
        "2026-04-03, false, false",
        "2026-04-06, true, true",
        "2026-09-16, false, false",
        "2026-11-16, false, false",
        "2026-11-20, true, true",
        "2026-11-14, false, false",
        "2026-11-15, false, false",
        "2026-11-17, true, true",
        "2026-12-25, false, false",
        "2028-12-12, true, false"
    })
    void the_rules_know_the_days(LocalDate day, boolean consar, boolean cnbv) {
        assertThat(CalendarSource.CONSAR.closedBecause(day).isEmpty()).isEqualTo(consar);
        assertThat(CalendarSource.CNBV.closedBecause(day).isEmpty()).isEqualTo(cnbv);
    }

    @ParameterizedTest
    @CsvSource({"2000-04-23", "2008-03-23", "2011-04-24", "2024-03-31", "2025-04-20", "2026-04-05", "2038-04-25"})
    void easter_is_on_its_sunday(LocalDate easter) {
        assertThat(CalendarSource.easter(easter.getYear())).isEqualTo(easter);
    }

    @Test
    void half_past_seven_on_friday_evening_in_mexico_city_is_friday_wherever_the_machine_stands() {
        assertThat(Calendars.localDate(Instant.parse("2026-11-21T01:30:00Z"))).isEqualTo(LocalDate.of(2026, 11, 20));
        assertThat(Calendars.localDate(Instant.parse("2026-11-21T06:00:00Z"))).isEqualTo(LocalDate.of(2026, 11, 21));
        // With summer time, as it was until 2022.
        assertThat(Calendars.localDate(Instant.parse("2022-07-02T04:59:00Z"))).isEqualTo(LocalDate.of(2022, 7, 1));
    }
}
