package dev.turno.certification;

import dev.turno.Turno;
import dev.turno.certification.authority.CertificationAuthority;
import dev.turno.certification.authority.EmbeddedAuthority;
import dev.turno.certification.authority.HttpAuthority;
import dev.turno.certification.calendar.CalendarHealth;
import dev.turno.certification.calendar.CalendarSource;
import dev.turno.certification.calendar.Calendars;
import dev.turno.certification.catalog.Catalogs;
import dev.turno.certification.catalog.Catalogs.Code;
import dev.turno.certification.dashboard.CertificationDashboard;
import dev.turno.certification.http.CalendarController;
import dev.turno.certification.http.CertificationController;
import dev.turno.certification.http.LegacyContract;
import dev.turno.certification.http.Situation;
import dev.turno.certification.intake.Intake;
import dev.turno.certification.intake.IntakeSettings;
import dev.turno.certification.notification.NotificationSender;
import dev.turno.certification.notification.Notifications;
import dev.turno.certification.notification.WebhookSender;
import dev.turno.certification.sql.Sql;
import dev.turno.certification.wire.RequestRules;
import dev.turno.lock.LockTerms;
import dev.turno.spring.Connections;
import dev.turno.spring.TurnoAutoConfiguration;
import dev.turno.spring.TurnoProperties;
import dev.turno.spring.TurnoWork;
import dev.turno.web.TurnoWebAutoConfiguration;
import java.net.URI;
import java.time.Duration;
import java.time.LocalDate;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.web.servlet.FilterRegistrationBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.core.Ordered;
import org.springframework.core.env.Environment;

/** The certification service in an application that has Turno and a web server. */
@AutoConfiguration(after = {TurnoAutoConfiguration.class, TurnoWebAutoConfiguration.class})
@ConditionalOnBean(Turno.class)
@ConditionalOnWebApplication(type = ConditionalOnWebApplication.Type.SERVLET)
@ConditionalOnBooleanProperty(name = "turno.certification.enabled", matchIfMissing = true)
@EnableConfigurationProperties(CertificationProperties.class)
@Import(CertificationDashboard.class)
public class CertificationAutoConfiguration {

    private static final Logger LOG = LoggerFactory.getLogger(CertificationAutoConfiguration.class);
    private static final LocalDate ALWAYS = LocalDate.of(2000, 1, 1);

    /** In the database of Turno's locks: the answer commits with them. */
    @Bean
    Sql certificationSql(Connections connections, TurnoProperties turno) {
        Sql sql = new Sql(connections.application(), connections.committing());
        if (turno.schema().mode() == dev.turno.TurnoOptions.SchemaMode.MIGRATE) {
            sql.createTables();
        }
        return sql;
    }

    @Bean
    Calendars certificationCalendars(Sql sql, CertificationProperties properties) {
        Map<String, CalendarSource> processes = new HashMap<>(Map.of("P00020", CalendarSource.CONSAR));
        processes.putAll(properties.calendars());
        return new Calendars(sql, processes);
    }

    /** Whose business days count. */
    @Bean
    CalendarSource certificationCalendar(Calendars calendars, CertificationProperties properties) {
        return calendars.of(properties.process());
    }

    /** What an operator changed later stays as it was changed. */
    @Bean
    Catalogs certificationCatalogs(Sql sql) {
        Catalogs catalogs = new Catalogs(sql);
        catalogs.add(new Code(RequestRules.BENEFITS, "06", "desempleo", ALWAYS, Optional.empty()));
        catalogs.add(new Code(RequestRules.BENEFITS, "07", "matrimonio", ALWAYS, Optional.empty()));
        return catalogs;
    }

    @Bean
    @ConditionalOnMissingBean
    CertificationAuthority certificationAuthority(
            Sql sql, Catalogs catalogs, CertificationProperties properties, Environment environment) {
        URI url = properties.authority().url();
        if (url != null) {
            Duration timeout = properties.authority().timeout();
            requireBelow(SeedProperties.terms(environment).lease(), timeout);
            return new HttpAuthority(url, timeout);
        }
        EmbeddedAuthority embedded = new EmbeddedAuthority(sql, catalogs);
        embedded.populate(properties.sampleWorkers());
        return embedded;
    }

    private static void requireBelow(Duration lease, Duration timeout) {
        if (timeout.compareTo(lease) >= 0) {
            throw new IllegalArgumentException("turno.certification.authority.timeout is " + timeout
                    + " and the lease of the locks (lock.timeout.seconds) " + lease
                    + ": an answer would be waited for longer than the lock is held. Use a shorter timeout.");
        }
    }

    @Bean
    Notifications certificationNotifications(
            Turno turno, CertificationProperties properties, ObjectProvider<NotificationSender> sender) {
        Optional<NotificationSender> given = sender.stream().findFirst();
        URI url = properties.notification().url();
        return new Notifications(
                turno,
                given.or(() -> Optional.ofNullable(url)
                        .map(to ->
                                new WebhookSender(to, properties.notification().secret()))));
    }

    @Bean
    Intake certificationIntake(
            Turno turno,
            Sql sql,
            Calendars calendars,
            CertificationAuthority authority,
            Notifications notifications,
            CertificationProperties properties,
            Environment environment) {
        LockTerms terms = SeedProperties.terms(environment);
        IntakeSettings settings = new IntakeSettings(terms, properties.process(), properties.keep());
        return new Intake(turno, sql, calendars, authority, notifications, settings);
    }

    /** The clean-up of locks is one for the whole process. */
    @Bean
    TurnoWork certificationWork(Intake intake, Calendars calendars, CalendarSource calendar, Environment environment) {
        LockTerms terms = SeedProperties.terms(environment);
        return turno -> {
            calendars
                    .yearWithoutDays(calendar)
                    .ifPresent(year -> LOG.warn(
                            "No days were loaded for {} in the calendar of {}: the rules alone decide, which know of no"
                                    + " elections. Load the year with 'turno calendar load {} {} FILE'.",
                            year,
                            calendar,
                            calendar,
                            year));
            var unused = turno.locks(
                    turno.locks().terms().with(t -> t.cleanUp(terms.cleanUp()).cleanUpEvery(terms.cleanUpEvery())));
            intake.start();
        };
    }

    @Bean
    RequestRules certificationRules(Catalogs catalogs, Calendars calendars, CertificationProperties properties) {
        return new RequestRules(
                (catalog, code) -> catalogs.allows(catalog, code, calendars.today()),
                properties.checkDigitsWarnOnly()::contains);
    }

    @Bean
    CertificationController certificationController(
            Intake intake, RequestRules rules, CertificationProperties properties) {
        return new CertificationController(
                intake, rules, legacyCodes(properties), properties.http().codes());
    }

    private static Map<Situation, String> legacyCodes(CertificationProperties properties) {
        Map<Situation, String> codes = new EnumMap<>(Map.of(Situation.NOT_A_BUSINESS_DAY, "532"));
        codes.putAll(properties.legacy().codes());
        return codes;
    }

    @Bean
    FilterRegistrationBean<LegacyContract> certificationLegacyContract(CertificationProperties properties) {
        FilterRegistrationBean<LegacyContract> registration =
                new FilterRegistrationBean<>(new LegacyContract(legacyCodes(properties)));
        registration.addUrlPatterns(LegacyContract.PATH);
        registration.setOrder(Ordered.HIGHEST_PRECEDENCE);
        return registration;
    }

    @Bean
    CalendarController certificationCalendarController(Calendars calendars) {
        return new CalendarController(calendars);
    }

    /** Only where there is a health endpoint. */
    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass(name = "org.springframework.boot.health.contributor.HealthIndicator")
    static class HealthConfiguration {

        @Bean
        CalendarHealth certificationCalendarHealth(Calendars calendars, CalendarSource calendar) {
            return new CalendarHealth(calendars, calendar);
        }
    }
}
