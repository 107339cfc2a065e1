package dev.turno.testkit.database;

import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.ClassTemplate;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * Runs a test class once on each database; {@code -Dturno.test.databases=h2,postgresql} restricts them.
 *
 * <pre>{@code
 * @OnEveryDatabase
 * class InboxTest {
 *     private final Inbox inbox;
 *
 *     InboxTest(FreshDatabase database) {
 *         inbox = ...(database.dataSource());
 *     }
 * }
 * }</pre>
 *
 * <p>The constructor, the test methods and the before and after methods may take a {@link FreshDatabase}, the same one within a
 * test and another in each test, closed after it. They may take the {@link TestDatabase} too.
 */
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@Inherited
@ClassTemplate
@ExtendWith(EveryDatabaseExtension.class)
public @interface OnEveryDatabase {

    /** Whether other processes must be able to reach it, so that H2 is a server too: {@link TestDatabase#freshOnServer()}. */
    boolean onServer() default false;
}
