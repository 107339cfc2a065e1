package dev.turno.certification.calendar;

import java.util.Optional;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthIndicator;

/** UP, with a warning while nobody has loaded the days of the year that comes: rules alone do not know of elections. */
public final class CalendarHealth implements HealthIndicator {

    private final Calendars calendars;
    private final CalendarSource source;

    public CalendarHealth(Calendars calendars, CalendarSource source) {
        this.calendars = calendars;
        this.source = source;
    }

    @Override
    public Health health() {
        Optional<Integer> year = calendars.yearWithoutDays(source);
        Health.Builder health = Health.up().withDetail("calendar", source.name());
        year.ifPresent(missing -> health.withDetail(
                "warning",
                "No days were loaded for " + missing
                        + ": the rules alone decide. Load the year with 'turno calendar load " + source + " "
                        + missing + " FILE'."));
        return health.build();
    }
}
