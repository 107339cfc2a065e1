package dev.turno.benchmarks.certification.byhand;

import dev.turno.certification.authority.EmbeddedAuthority;
import dev.turno.certification.calendar.CalendarSource;
import dev.turno.certification.calendar.Calendars;
import dev.turno.certification.catalog.Catalogs;
import dev.turno.certification.sql.Sql;
import java.util.Map;
import javax.sql.DataSource;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.persistence.autoconfigure.EntityScan;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.data.jpa.repository.config.EnableJpaRepositories;

/** A Boot application with Spring Data and Hibernate, and without Turno. */
@Configuration
@EnableAutoConfiguration
@EntityScan(basePackageClasses = DistributedLock.class)
@EnableJpaRepositories(basePackageClasses = DistributedLockRepository.class)
public class HandMadeApplication {

    @Bean
    Sql sql(DataSource source) {
        Sql sql = new Sql(source);
        sql.createTables();
        return sql;
    }

    @Bean
    Calendars calendars(Sql sql) {
        return new Calendars(sql, Map.of("P00020", CalendarSource.CONSAR));
    }

    @Bean
    EmbeddedAuthority authority(Sql sql, @Value("${turno.certification.sample-workers}") int workers) {
        EmbeddedAuthority authority = new EmbeddedAuthority(sql, new Catalogs(sql));
        authority.populate(workers);
        return authority;
    }

    @Bean
    LockManagerService lockManager(DistributedLockRepository locks) {
        return new LockManagerService(locks);
    }

    @Bean
    HandMadeController handMadeController(
            LockManagerService locks, Sql sql, Calendars calendars, EmbeddedAuthority authority) {
        return new HandMadeController(locks, sql, calendars, authority);
    }
}
