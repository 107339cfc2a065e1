package dev.turno.testkit.database;

import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * Runs a test class, or a method, on one database, given as to {@link OnEveryDatabase}. Skipped where
 * {@code -Dturno.test.databases} does not name it.
 */
@Target({ElementType.TYPE, ElementType.METHOD})
@Retention(RetentionPolicy.RUNTIME)
@Inherited
@ExtendWith(OneDatabaseExtension.class)
public @interface OnDatabase {

    TestDatabase value();

    /** Whether other processes must be able to reach it: {@link TestDatabase#freshOnServer()}. */
    boolean onServer() default false;
}
