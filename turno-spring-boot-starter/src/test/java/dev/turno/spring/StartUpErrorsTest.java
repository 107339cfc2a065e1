package dev.turno.spring;

import static org.assertj.core.api.Assertions.assertThat;

import dev.turno.claim.Turn;
import java.util.Map;
import javax.sql.DataSource;
import org.h2.jdbcx.JdbcDataSource;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.env.StandardEnvironment;
import org.springframework.core.env.SystemEnvironmentPropertySource;
import org.springframework.transaction.annotation.Transactional;
import shop.Hidden;

@ExtendWith(OutputCaptureExtension.class)
class StartUpErrorsTest {

    private final ApplicationContextRunner application = Applications.onH2();

    private static void assertFails(ApplicationContextRunner runner, String what, String action) {
        runner.run(context -> assertThat(told(context.getStartupFailure()))
                .isInstanceOfSatisfying(StartException.class, failure -> {
                    assertThat(failure).hasMessageContaining(what);
                    assertThat(failure.action()).contains(action);
                }));
    }

    private static @Nullable Throwable told(@Nullable Throwable failure) {
        Throwable cause = failure;
        while (cause != null && !(cause instanceof StartException)) {
            cause = cause.getCause();
        }
        return cause;
    }

    @Test
    void without_a_data_source() {
        assertFails(
                new ApplicationContextRunner().withConfiguration(AutoConfigurations.of(TurnoAutoConfiguration.class)),
                "Turno has no data source.",
                "spring.datasource.url");
    }

    @Test
    void with_two_data_sources() {
        assertFails(
                application
                        .withBean("one", DataSource.class, JdbcDataSource::new)
                        .withBean("two", DataSource.class, JdbcDataSource::new),
                "There are 2 data sources",
                "@TurnoDataSource");
    }

    @Configuration(proxyBeanMethods = false)
    static class TwoSources {
        @Bean
        @TurnoDataSource
        DataSource one() {
            JdbcDataSource source = new JdbcDataSource();
            source.setUrl("jdbc:h2:mem:marked;DB_CLOSE_DELAY=-1");
            return source;
        }

        @Bean
        DataSource two() {
            return new JdbcDataSource();
        }
    }

    @Test
    void not_with_two_data_sources_of_which_one_is_marked() {
        application
                .withUserConfiguration(TwoSources.class)
                .run(context -> assertThat(context.getBean(Connections.class).application())
                        .isSameAs(context.getBean("one")));
    }

    @Test
    void with_a_value_out_of_bounds() {
        assertFails(
                application.withPropertyValues("turno.holder.lease=1ms"),
                "The lease is PT0.001S; use half a second to an hour.",
                "under 'turno'");
    }

    @Test
    void with_an_option_out_of_bounds() {
        assertFails(
                application.withPropertyValues("turno.tasks.reminder.threads=0"),
                "'threads' is 0; use 1 to 10000",
                "under 'turno.tasks.reminder'");
    }

    @Test
    void with_an_older_name_that_has_an_unusable_value() {
        assertFails(
                application.withPropertyValues("lock.timeout.seconds=soon"),
                "'lock.timeout.seconds' is 'soon'",
                "a whole number");
    }

    @Test
    void with_an_option_that_does_not_exist() {
        assertFails(
                application.withPropertyValues("turno.inboxes.orders.thread=4"),
                "turno.inboxes.orders.thread",
                "threads");
    }

    @Test
    void with_a_misspelt_option_of_any_group_which_is_told_the_nearest() {
        assertMisspelt("turno.locks.leese=1m", "turno.locks.lease");
        assertMisspelt("turno.locks.clean-up-evry=1m", "turno.locks.clean-up-every");
        assertMisspelt("turno.runs.per-nod=2", "turno.runs.per-node");
        assertMisspelt("turno.runs.backoff.frst=2s", "turno.runs.backoff.first");
        assertMisspelt("turno.holder.leas=20s", "turno.holder.lease");
        assertMisspelt("turno.holder.lease.seconds=20", "turno.holder.lease");
        assertMisspelt("turno.schema.modus=validate", "turno.schema.mode");
        assertMisspelt("turno.pool.sise=20", "turno.pool.size");
        assertMisspelt("turno.inboxes.orders.maxRunn=1m", "turno.inboxes.orders.max-run");
        assertMisspelt("turno.tasks.mail.backof.first=1s", "turno.tasks.mail.backoff");
    }

    private void assertMisspelt(String property, String meant) {
        assertFails(application.withPropertyValues(property), "Did you mean '" + meant + "'?", "Use one of those");
        application
                .withPropertyValues(property)
                .run(context ->
                        assertThat(context.getStartupFailure()).rootCause().hasMessageContaining("Did you mean"));
    }

    @Test
    void not_with_options_of_other_modules() {
        application
                .withPropertyValues(
                        "turno.web.open=true",
                        "turno.webhooks.inboxes.orders.url=http://localhost",
                        "turno.dashboard.redact=a",
                        "turno.admin.token=t",
                        "turno.demo=true",
                        "turno.elsewhere.any.thing=1")
                .run(context -> assertThat(context).hasNotFailed());
    }

    @Test
    void not_with_a_variable_of_the_machine_whose_name_is_like_an_option() {
        application
                .withInitializer(context -> context.getEnvironment()
                        .getPropertySources()
                        .addFirst(new SystemEnvironmentPropertySource(
                                StandardEnvironment.SYSTEM_ENVIRONMENT_PROPERTY_SOURCE_NAME,
                                Map.of("TURNO_LOCKS_HOST", "db.example", "TURNO_POOL_PORT", "5432"))))
                .run(context -> assertThat(context).hasNotFailed());
    }

    static class Two {
        @InboxHandler("orders")
        void one(String body) {}

        @InboxHandler("${inbox.name}")
        void other(String body) {}
    }

    @Test
    void with_two_handlers_of_one_inbox() {
        assertFails(
                application.withBean(Two.class).withPropertyValues("inbox.name=orders"),
                "The inbox 'orders' has two handlers",
                "Keep one of them");
    }

    static class TwoBodies {
        @InboxHandler("orders")
        void handle(String body, Map<String, Object> again, Turn turn) {}
    }

    @Test
    void with_a_handler_that_takes_two_bodies() {
        assertFails(application.withBean(TwoBodies.class), "TwoBodies.handle takes two bodies", "each at most once");
    }

    static class WrongReturn {
        @InboxHandler("orders")
        boolean handle(String body) {
            return true;
        }
    }

    @Test
    void with_a_handler_that_returns_something_else() {
        assertFails(application.withBean(WrongReturn.class), "returns boolean", "dev.turno.claim.Result");
    }

    static class WrongBurst {
        @BurstHandler("chat")
        void handle(Map<String, Object> body) {}
    }

    @Test
    void with_a_handler_of_bursts_that_takes_a_type() {
        assertFails(application.withBean(WrongBurst.class), "WrongBurst.handle takes", "dev.turno.buffer.Burst");
    }

    /** A proxy stands before it because of its other method. */
    static class PrivateBehindProxy {
        @InboxHandler("orders")
        @SuppressWarnings("UnusedMethod") // it is called by its annotation
        private void handle() {}

        @Transactional
        public void other() {}
    }

    static class FinalBehindProxy {
        @TaskHandler("reminder")
        public final void handle(String body) {}

        @Transactional
        public void other() {}
    }

    interface Door {
        void other();
    }

    static class NotInTheInterface implements Door {
        @BurstHandler("chat")
        public void handle(String text) {}

        @Override
        @Transactional
        public void other() {}
    }

    @Test
    void with_a_handler_that_the_proxy_before_it_cannot_call() {
        assertFails(application.withBean(PrivateBehindProxy.class), "PrivateBehindProxy.handle is private", "public");
        assertFails(application.withBean(FinalBehindProxy.class), "FinalBehindProxy.handle is final", "public");
        assertFails(
                application.withBean(NotInTheInterface.class).withPropertyValues("spring.aop.proxy-target-class=false"),
                "NotInTheInterface.handle is in none of the interfaces",
                "proxy-target-class");
    }

    static class HiddenBehindProxy extends Hidden {
        @Transactional
        public void other() {}
    }

    @Test
    void with_a_handler_that_a_proxy_in_another_package_cannot_see() {
        assertFails(application.withBean(HiddenBehindProxy.class), "Hidden.handle is seen in its package", "public");
    }

    /** What Spring derives from a configuration is no proxy: its methods are its own. */
    @Configuration
    static class Configured {
        @Bean
        String some() {
            return "bean";
        }

        @InboxHandler("orders")
        @SuppressWarnings("UnusedMethod") // it is called by its annotation
        private void handle() {}
    }

    static class VisibleBehindProxy {
        @InboxHandler("orders")
        void handle(String body) {}

        @Transactional
        public void other() {}
    }

    @Test
    void not_with_a_handler_that_can_be_called() {
        application
                .withUserConfiguration(Configured.class)
                .run(context -> assertThat(context).hasNotFailed());
        application
                .withBean(VisibleBehindProxy.class)
                .run(context -> assertThat(context).hasNotFailed());
    }

    static class WithoutTransactions {
        @InboxHandler(value = "orders", transactional = true)
        void handle(String body) {}
    }

    @Test
    void with_a_transactional_handler_but_no_transactions() {
        assertFails(
                new ApplicationContextRunner()
                        .withConfiguration(AutoConfigurations.of(TurnoAutoConfiguration.class))
                        .withBean(DataSource.class, () -> new TwoSources().one())
                        .withBean(WithoutTransactions.class),
                "no single transaction manager",
                "PlatformTransactionManager");
    }

    @EnableAutoConfiguration
    static class Broken {}

    @Test
    void are_printed_with_what_to_do(CapturedOutput output) {
        try {
            SpringApplication.run(Broken.class, "--turno.schema.mode=create").close();
        } catch (RuntimeException expected) {
            // It was told.
        }
        try {
            SpringApplication.run(Broken.class, "--turno.namespace=a b").close();
        } catch (RuntimeException expected) {
            // It was told.
        }
        try {
            SpringApplication.run(Broken.class, "--turno.locks.leese=5m").close();
        } catch (RuntimeException expected) {
            // It was told.
        }

        assertThat(output)
                .contains("Property: turno.schema.mode")
                .contains("MIGRATE")
                .contains("The namespace is 'a b'; use 1 to 64 letters")
                .contains("Correct this in the application's properties under 'turno'.")
                .contains("There is no such option: 'turno.locks.leese'. Did you mean 'turno.locks.lease'?")
                .contains("Use one of those under 'turno.locks': lease, wait-up-to,");
    }
}
