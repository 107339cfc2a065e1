package dev.turno.spring.test;

import dev.turno.Turno;
import dev.turno.testkit.database.FreshDatabase;
import dev.turno.testkit.database.TestDatabase;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.support.DefaultListableBeanFactory;
import org.springframework.beans.factory.support.RootBeanDefinition;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.core.env.MapPropertySource;
import org.springframework.test.context.ContextConfigurationAttributes;
import org.springframework.test.context.ContextCustomizer;
import org.springframework.test.context.ContextCustomizerFactory;
import org.springframework.test.context.MergedContextConfiguration;
import org.springframework.test.context.TestContextAnnotationUtils;

/** Gives the application context of a {@link TurnoTest} its database. */
final class DatabaseCustomizerFactory implements ContextCustomizerFactory {

    @Override
    public @Nullable ContextCustomizer createContextCustomizer(
            Class<?> test, List<ContextConfigurationAttributes> attributes) {
        TurnoTest annotation = TestContextAnnotationUtils.findMergedAnnotation(test, TurnoTest.class);
        return annotation == null ? null : new OnFreshDatabase(annotation.database());
    }

    /** Equal for the same kind of database: Spring keeps contexts by it. */
    private record OnFreshDatabase(TestDatabase kind) implements ContextCustomizer {

        @Override
        public void customizeContext(ConfigurableApplicationContext context, MergedContextConfiguration configuration) {
            FreshDatabase database = kind.fresh();
            context.getEnvironment()
                    .getPropertySources()
                    .addFirst(new MapPropertySource(
                            "turno-test",
                            Map.of(
                                    "spring.datasource.url", database.url(),
                                    "spring.datasource.username", database.user(),
                                    "spring.datasource.password", database.password())));
            DefaultListableBeanFactory beans = (DefaultListableBeanFactory) context.getBeanFactory();
            // The first to be registered is the last to be destroyed, after the pools.
            beans.registerDisposableBean("turnoTestDatabase", database::close);
            beans.registerBeanDefinition(
                    "turnoSettled",
                    new RootBeanDefinition(Settled.class, () -> new Settled(beans.getBean(Turno.class))));
        }
    }
}
