package dev.turno.spring.test;

import dev.turno.spring.TurnoAutoConfiguration;
import dev.turno.testkit.database.TestDatabase;
import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.boot.autoconfigure.context.PropertyPlaceholderAutoConfiguration;
import org.springframework.boot.jackson.autoconfigure.JacksonAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.DataSourceTransactionManagerAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.JdbcClientAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.JdbcTemplateAutoConfiguration;
import org.springframework.boot.test.autoconfigure.OverrideAutoConfiguration;
import org.springframework.boot.test.context.filter.annotation.TypeExcludeFilters;
import org.springframework.boot.transaction.autoconfigure.TransactionAutoConfiguration;
import org.springframework.context.annotation.ComponentScan;
import org.springframework.test.context.BootstrapWith;
import org.springframework.test.context.junit.jupiter.SpringExtension;

/**
 * A test of the application's handlers: starts those of its components that have a handler method, Turno, JDBC and transactions, on an empty
 * database of the testkit's. Other components are brought in with {@code @Import} or {@link #includeFilters}, or replaced by
 * {@code @MockitoBean}.
 *
 * <pre>{@code
 * @TurnoTest
 * class OrdersTest {
 *     @Autowired TurnoTemplate template;
 *     @Autowired Settled settled;
 *
 *     @Test void an_order_is_shipped() {
 *         template.put("orders", "order-1", new Order("tea", 3));
 *         settled.await();
 *         ...
 *     }
 * }
 * }</pre>
 *
 * <p>The database belongs to the application context, which Spring keeps for all tests that look alike: use other ids in each.
 */
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@Documented
@Inherited
@BootstrapWith(TurnoTestBootstrapper.class)
@ExtendWith(SpringExtension.class)
@OverrideAutoConfiguration(enabled = false)
@TypeExcludeFilters(HandlersAlone.class)
@ImportAutoConfiguration({
    PropertyPlaceholderAutoConfiguration.class,
    DataSourceAutoConfiguration.class,
    DataSourceTransactionManagerAutoConfiguration.class,
    JdbcTemplateAutoConfiguration.class,
    JdbcClientAutoConfiguration.class,
    TransactionAutoConfiguration.class,
    JacksonAutoConfiguration.class,
    TurnoAutoConfiguration.class
})
public @interface TurnoTest {

    /** On which database. */
    TestDatabase database() default TestDatabase.H2;

    /** Properties, as {@code name=value}. */
    String[] properties() default {};

    /** Whether components without a handler method are left out. */
    boolean useDefaultFilters() default true;

    /** Components to be started although they have no handler method. */
    ComponentScan.Filter[] includeFilters() default {};

    /** Components to be left out although they have one. */
    ComponentScan.Filter[] excludeFilters() default {};
}
