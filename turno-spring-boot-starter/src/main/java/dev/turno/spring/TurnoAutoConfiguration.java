package dev.turno.spring;

import dev.turno.Turno;
import dev.turno.TurnoOptions;
import dev.turno.action.Actions;
import dev.turno.action.Subject;
import dev.turno.claim.DatabaseAwayException;
import dev.turno.lock.LockTerms;
import dev.turno.lock.Locks;
import dev.turno.run.Job;
import dev.turno.run.RunOptions;
import dev.turno.run.Runs;
import dev.turno.watch.Watcher;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.observation.ObservationRegistry;
import java.time.ZoneId;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Supplier;
import javax.sql.DataSource;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.annotation.Order;
import org.springframework.core.env.Environment;
import org.springframework.transaction.PlatformTransactionManager;
import tools.jackson.databind.json.JsonMapper;

/**
 * A running Turno on the application's data source, its handlers found among the beans, with health, meters and traces where the
 * application has them.
 */
@AutoConfiguration(
        afterName = {
            "org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration",
            "org.springframework.boot.jackson.autoconfigure.JacksonAutoConfiguration",
            "org.springframework.boot.micrometer.observation.autoconfigure.ObservationAutoConfiguration"
        })
@ConditionalOnBooleanProperty(name = "turno.enabled", matchIfMissing = true)
@EnableConfigurationProperties(TurnoProperties.class)
public class TurnoAutoConfiguration {

    @Bean
    Connections turnoConnections(
            TurnoProperties properties,
            @TurnoDataSource ObjectProvider<DataSource> marked,
            ObjectProvider<DataSource> sources) {
        DataSource source = marked.getIfUnique(sources::getIfUnique);
        if (source == null) {
            long count = sources.stream().count();
            throw new StartException(
                    count == 0
                            ? "Turno has no data source."
                            : "There are " + count + " data sources, and Turno cannot know which is meant.",
                    count == 0
                            ? "Set spring.datasource.url, or define a DataSource bean; or switch Turno off with turno.enabled=false."
                            : "Mark the bean that Turno is to use with @TurnoDataSource, or the usual one with @Primary.");
        }
        return new Connections(source, properties);
    }

    @Bean
    @ConditionalOnMissingBean
    Turno turno(
            TurnoProperties properties,
            Connections connections,
            ObjectProvider<Watcher> watchers,
            Environment environment) {
        UnknownOptions.refuse(environment);
        return orRefuse(() -> {
            LockTerms terms = LockTerms.of(builder -> {
                new OlderNames(environment).choose(builder);
                properties.locks().choose(builder);
            });
            properties.check();
            Turno turno = Turno.start(connections.forTurno(), watched(properties.options(), watchers));
            turno.locks(terms);
            properties.inboxes().keySet().forEach(name -> turno.inbox(name, properties.inbox(name)));
            properties.buffers().keySet().forEach(name -> turno.buffers(name, properties.buffer(name)));
            return turno;
        });
    }

    private static TurnoOptions watched(TurnoOptions options, ObjectProvider<Watcher> watchers) {
        TurnoOptions watched = options;
        for (Watcher watcher : watchers.orderedStream().toList()) {
            watched = watched.withWatcher(watcher);
        }
        return watched;
    }

    private static <T> T orRefuse(Supplier<T> made) {
        try {
            return made.get();
        } catch (IllegalArgumentException e) {
            throw new StartException(
                    String.valueOf(e.getMessage()), "Correct this in the application's properties under 'turno'.", e);
        } catch (DatabaseAwayException e) {
            throw new StartException(
                    String.valueOf(e.getMessage()),
                    "Check spring.datasource.url, the account, and that the server runs.",
                    e);
        }
    }

    @Bean
    Tracing turnoTracing(ObjectProvider<ObservationRegistry> registry) {
        return new Tracing(registry.getIfUnique(() -> ObservationRegistry.NOOP));
    }

    @Bean
    @ConditionalOnMissingBean
    TurnoTemplate turnoTemplate(
            Turno turno,
            Connections connections,
            ObjectProvider<JsonMapper> mapper,
            Tracing tracing,
            ObjectProvider<PlatformTransactionManager> transactions) {
        return new TurnoTemplate(
                turno, connections, new Transactions(connections.application(), transactions), json(mapper), tracing);
    }

    /** Before the meters, which look at what was opened. */
    @Bean
    @Order(0)
    HandlerMethods turnoHandlerMethods(
            ConfigurableListableBeanFactory beans,
            TurnoProperties properties,
            ObjectProvider<JsonMapper> mapper,
            Tracing tracing,
            TurnoTemplate template,
            Connections connections,
            ObjectProvider<PlatformTransactionManager> transactions) {
        return new HandlerMethods(
                beans,
                properties,
                json(mapper),
                tracing,
                template,
                new Transactions(connections.application(), transactions));
    }

    private static JsonMapper json(ObjectProvider<JsonMapper> mapper) {
        return mapper.getIfUnique(() -> JsonMapper.builder().build());
    }

    @Bean
    @ConditionalOnMissingBean
    Runs turnoRuns(Turno turno, TurnoProperties properties, Environment environment) {
        return orRefuse(() -> turno.runs(RunOptions.of(options -> {
            options.poll(properties.poll());
            new OlderNames(environment).choose(options);
            properties.runs().choose(options);
        })));
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

    /** Only where the application has jobs: a scheduler without them would use up the moments of others. */
    @Configuration(proxyBeanMethods = false)
    @ConditionalOnBean(Job.class)
    static class WithJobs {

        @Bean
        @ConditionalOnMissingBean
        Actions turnoActions(Turno turno, Runs runs, TurnoProperties properties, ObjectProvider<Subjects> subjects) {
            Subjects known = subjects.getIfUnique(() -> id -> Optional.of(Subject.of(id)));
            ZoneId zone = Objects.requireNonNullElseGet(properties.zone(), ZoneId::systemDefault);
            return turno.actions(zone, known::find);
        }

        @Bean
        @Order(0)
        JobBeans turnoJobBeans(
                ConfigurableListableBeanFactory beans, TurnoProperties properties, Runs runs, Actions actions) {
            return new JobBeans(beans, properties, runs, actions);
        }
    }

    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass(HealthIndicator.class)
    static class WithHealth {

        @Bean
        @ConditionalOnMissingBean(name = "turnoHealthIndicator")
        HealthIndicator turnoHealthIndicator(Turno turno) {
            return new TurnoHealth(turno);
        }
    }

    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass(MeterRegistry.class)
    static class WithMeters {

        @Bean
        Meters turnoMeters() {
            return new Meters();
        }
    }
}
