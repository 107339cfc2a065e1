package dev.turno.spring;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * A bean's method that is handed the bursts of a buffer. It takes the {@link dev.turno.buffer.Burst}, or its texts joined as a
 * {@code String}, and if it wants the {@link dev.turno.claim.Turn}, in any order. Returning means done, unless it returns a
 * {@link dev.turno.claim.Result} that says otherwise; throwing means retry with backoff, of the same burst.
 *
 * <p>How the buffer behaves is configured under {@code turno.buffers.<name>}.
 */
@Target(ElementType.METHOD)
@Retention(RetentionPolicy.RUNTIME)
@Documented
public @interface BurstHandler {

    /** The buffer; may be a placeholder such as <code>${chat.buffer}</code>. */
    String value();

    /** As {@link InboxHandler#transactional()}. */
    boolean transactional() default false;
}
