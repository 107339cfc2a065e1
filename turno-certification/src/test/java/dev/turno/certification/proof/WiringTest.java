package dev.turno.certification.proof;

import static org.assertj.core.api.Assertions.assertThat;

import dev.turno.certification.authority.SampleWorkers;
import dev.turno.certification.calendar.CalendarSource;
import dev.turno.certification.calendar.Calendars;
import dev.turno.certification.calendar.Day;
import dev.turno.certification.intake.Intake;
import dev.turno.certification.intake.Outcome;
import dev.turno.certification.wire.CertificationRequest;
import dev.turno.certification.wire.RequestReader;
import dev.turno.certification.wire.RequestRules;
import dev.turno.certification.wire.RequestRules.Checked;
import dev.turno.spring.TurnoDataSource;
import dev.turno.testkit.database.FreshDatabase;
import dev.turno.testkit.database.TestDatabase;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;
import org.springframework.boot.SpringApplication;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Primary;
import org.springframework.jdbc.core.simple.JdbcClient;

class WiringTest {

    private static final int WORKERS = 3;
    private static final FreshDatabase SHOP = TestDatabase.H2.fresh();
    private static final FreshDatabase TURNO = TestDatabase.H2.fresh();

    /** An application whose usual database is another one. */
    @Configuration
    public static class TwoDatabases {

        @Bean
        @Primary
        DataSource shop() {
            return SHOP.dataSource();
        }

        @Bean
        @TurnoDataSource
        DataSource work() {
            return TURNO.dataSource();
        }
    }

    @Test
    void requests_are_stored_where_turno_has_its_locks_in_an_application_with_two_databases() {
        Class<?>[] sources = {CertificationNode.class, TwoDatabases.class};
        try (SHOP;
                TURNO;
                ConfigurableApplicationContext node = SpringApplication.run(sources, new String[] {
                    "--server.port=0",
                    "--spring.main.banner-mode=off",
                    "--turno.admin.token=an-admin-token-for-tests-only-0123456789"
                })) {
            assertThat(node.isRunning()).isTrue();
            assertThat(tables(TURNO)).isEqualTo(1);
            assertThat(tables(SHOP)).isZero();
        }
    }

    @Test
    void what_is_answered_is_stored_also_by_a_pool_that_does_not_commit_by_itself() {
        try (FreshDatabase database = TestDatabase.POSTGRESQL.fresh();
                ConfigurableApplicationContext node = SpringApplication.run(
                        CertificationNode.class,
                        "--server.port=0",
                        "--spring.main.banner-mode=off",
                        "--spring.datasource.url=" + database.url(),
                        "--spring.datasource.username=" + database.user(),
                        "--spring.datasource.password=" + database.password(),
                        "--spring.datasource.hikari.auto-commit=false",
                        "--turno.certification.sample-workers=30",
                        "--turno.admin.token=an-admin-token-for-tests-only-0123456789")) {
            Calendars calendars = node.getBean(Calendars.class);
            calendars.put(new Day(CalendarSource.CONSAR, calendars.today(), true, "test", ""));
            Intake intake = node.getBean(Intake.class);

            List<Outcome> first = answers(intake);
            List<Outcome> second = answers(intake);

            assertThat(first).allSatisfy(one -> assertThat(isReplayed(one)).isFalse());
            assertThat(second).allSatisfy(one -> assertThat(isReplayed(one)).isTrue());
            assertThat(JdbcClient.create(database.dataSource())
                            .sql("select count(*) from turno_certification_resolution")
                            .query(Integer.class)
                            .single())
                    .isEqualTo(WORKERS);
        }
    }

    /** The first one makes the floor of the fences; the others go the short way. */
    private static List<Outcome> answers(Intake intake) {
        return IntStream.range(0, WORKERS)
                .mapToObj(worker -> intake.certify(request(worker), Optional.empty()))
                .toList();
    }

    private static boolean isReplayed(Outcome outcome) {
        assertThat(outcome).isInstanceOf(Outcome.Answered.class);
        return ((Outcome.Answered) outcome).replayed();
    }

    private static CertificationRequest request(int worker) {
        Checked checked = new RequestRules((catalog, code) -> true, afore -> false)
                .check(new RequestReader.Read(SampleWorkers.request(worker, "F-" + worker, "530"), List.of()));
        return ((Checked.Good) checked).request();
    }

    private static int tables(FreshDatabase database) {
        return JdbcClient.create(database.dataSource())
                .sql("select count(*) from information_schema.tables where lower(table_name) = 'turno_certification'")
                .query(Integer.class)
                .single();
    }
}
