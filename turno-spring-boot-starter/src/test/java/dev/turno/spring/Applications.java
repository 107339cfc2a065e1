package dev.turno.spring;

import dev.turno.testkit.database.FreshDatabase;
import java.time.Duration;
import org.awaitility.Awaitility;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.jackson.autoconfigure.JacksonAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.DataSourceTransactionManagerAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.JdbcTemplateAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.transaction.autoconfigure.TransactionAutoConfiguration;

/** Boot applications for tests, with what the starter brings along. */
final class Applications {

    private Applications() {}

    static {
        Awaitility.setDefaultTimeout(Duration.ofSeconds(30)); // for machines that are busy with something else
    }

    /** On an H2 of its own in memory. */
    static ApplicationContextRunner onH2() {
        return plain().withPropertyValues("spring.datasource.generate-unique-name=true");
    }

    static ApplicationContextRunner on(FreshDatabase database) {
        return plain().withPropertyValues(
                        "spring.datasource.url=" + database.url(),
                        "spring.datasource.username=" + database.user(),
                        "spring.datasource.password=" + database.password());
    }

    private static ApplicationContextRunner plain() {
        return new ApplicationContextRunner()
                .withConfiguration(AutoConfigurations.of(
                        DataSourceAutoConfiguration.class,
                        DataSourceTransactionManagerAutoConfiguration.class,
                        JdbcTemplateAutoConfiguration.class,
                        TransactionAutoConfiguration.class,
                        JacksonAutoConfiguration.class,
                        TurnoAutoConfiguration.class))
                .withPropertyValues("turno.node=here");
    }
}
