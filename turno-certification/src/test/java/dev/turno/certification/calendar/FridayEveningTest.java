package dev.turno.certification.calendar;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariDataSource;
import dev.turno.certification.sql.Sql;
import dev.turno.testkit.database.FreshDatabase;
import dev.turno.testkit.database.TestDatabase;
import java.time.LocalDate;
import java.util.Map;
import java.util.TimeZone;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.parallel.Isolated;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.jdbc.core.simple.JdbcClient;

/** The service's own look at the clock, on a PostgreSQL whose clock stands at another moment, in a JVM of another zone. */
@Isolated // it changes the zone of the whole process
class FridayEveningTest {

    private static final LocalDate FRIDAY = LocalDate.of(2026, 11, 20);

    private final TimeZone before = TimeZone.getDefault();

    @AfterEach
    void restore() {
        TimeZone.setDefault(before);
    }

    @ParameterizedTest
    @ValueSource(strings = {"UTC", "Asia/Tokyo"})
    void half_past_seven_on_friday_evening_in_mexico_city_is_a_business_day_whatever_the_zone_of_the_jvm(String zone) {
        TimeZone.setDefault(TimeZone.getTimeZone(zone));
        try (FreshDatabase database = TestDatabase.POSTGRESQL.fresh()) {
            Calendars evening = at(database, "2026-11-21T01:30:00Z");
            assertThat(evening.today()).isEqualTo(FRIDAY);
            assertThat(isOpen(evening)).isTrue();
            assertThat(at(database, "2026-11-21T05:59:00Z").today()).isEqualTo(FRIDAY);

            Calendars night = at(database, "2026-11-21T06:00:00Z");
            assertThat(night.today()).isEqualTo(FRIDAY.plusDays(1));
            assertThat(isOpen(night)).isFalse();
            assertThat(night.next(CalendarSource.CONSAR, night.today()).date()).isEqualTo(FRIDAY.plusDays(3));
        }
    }

    private static boolean isOpen(Calendars calendars) {
        return calendars.day(CalendarSource.CONSAR, calendars.today()).open();
    }

    /** A schema that is searched before the server's own functions has another clock. */
    private static Calendars at(FreshDatabase database, String moment) {
        JdbcClient admin = JdbcClient.create(database.dataSource());
        admin.sql("create schema if not exists moved").update();
        admin.sql("create or replace function moved.statement_timestamp() returns timestamptz language sql stable"
                        + " as $$ select timestamptz '" + moment + "' $$")
                .update();
        HikariDataSource moved = database.newPool(database.url() + "&currentSchema=moved,public,pg_catalog", 1);
        Sql sql = new Sql(moved);
        sql.createTables();
        return new Calendars(sql, Map.of("P00020", CalendarSource.CONSAR));
    }
}
