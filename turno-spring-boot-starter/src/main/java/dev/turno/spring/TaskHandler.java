package dev.turno.spring;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * A bean's method that handles the tasks of a type, each at its instant. It takes the body, as a {@code String} or as what Jackson reads from
 * it, and if it wants the {@link dev.turno.task.Task} and the {@link dev.turno.claim.Turn}, in any order. Returning means done, unless it
 * returns a {@link dev.turno.claim.Result} that says otherwise; throwing means retry with backoff.
 *
 * <p>How tasks of the type are handled is configured under {@code turno.tasks.<type>}.
 */
@Target(ElementType.METHOD)
@Retention(RetentionPolicy.RUNTIME)
@Documented
public @interface TaskHandler {

    /** The type; may be a placeholder such as <code>${reminder.type}</code>. */
    String value();

    /** As {@link InboxHandler#transactional()}. */
    boolean transactional() default false;
}
