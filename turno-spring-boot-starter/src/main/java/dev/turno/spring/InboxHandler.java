package dev.turno.spring;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * A bean's method that handles the messages of an inbox. It takes the body, as a {@code String} or as what Jackson reads from it, and if
 * it wants the {@link dev.turno.inbox.Message} and the {@link dev.turno.claim.Turn}, in any order. Returning means done, unless it returns
 * a {@link dev.turno.claim.Result} that says otherwise; throwing means retry with backoff.
 *
 * <p>How the inbox behaves is configured under {@code turno.inboxes.<name>}.
 */
@Target(ElementType.METHOD)
@Retention(RetentionPolicy.RUNTIME)
@Documented
public @interface InboxHandler {

    /** The inbox; may be a placeholder such as <code>${orders.inbox}</code>. */
    String value();

    /**
     * Whether the method runs in a transaction in which the message is also finished: what it writes to the application's database
     * happens once. The transaction is rolled back if it throws, asks for a retry, rejects, or lost its claim.
     */
    boolean transactional() default false;
}
