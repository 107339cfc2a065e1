package dev.turno.spring;

import dev.turno.Turno;
import dev.turno.TurnoOptions;
import dev.turno.lock.Locks;
import dev.turno.watch.Watcher;
import javax.sql.DataSource;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration;
import org.springframework.context.annotation.Bean;

/** A running Turno on the application's data source. */
@AutoConfiguration(after = DataSourceAutoConfiguration.class)
@ConditionalOnBooleanProperty(name = "turno.enabled", matchIfMissing = true)
@EnableConfigurationProperties(TurnoProperties.class)
public class TurnoAutoConfiguration {

    @Bean
    @ConditionalOnMissingBean
    Turno turno(TurnoProperties properties, DataSource source, ObjectProvider<Watcher> watchers) {
        TurnoOptions options = properties.options();
        for (Watcher watcher : watchers.orderedStream().toList()) {
            options = options.withWatcher(watcher);
        }
        return Turno.start(source, options);
    }

    @Bean
    TurnoLifecycle turnoLifecycle(Turno turno, ObjectProvider<TurnoWork> work) {
        return new TurnoLifecycle(turno, work.orderedStream().toList());
    }

    @Bean
    @ConditionalOnMissingBean
    Locks turnoLocks(Turno turno) {
        return turno.locks();
    }
}
