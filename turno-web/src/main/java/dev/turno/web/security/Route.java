package dev.turno.web.security;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * On every endpoint: who may use it, and what the OpenAPI document says about it. An endpoint without it is for admins alone.
 * Changes by routes for operators and admins are audited.
 */
@Target(ElementType.METHOD)
@Retention(RetentionPolicy.RUNTIME)
public @interface Route {

    Role role();

    /** One sentence for the reader of the document. */
    String says();

    /** An example of what is sent, as JSON. */
    String takes() default "";

    /** An example of the answer, as JSON. */
    String gives() default "";

    /** The status of a success. */
    int status() default 200;

    /** Whether anybody may use it, without a credential: it checks its callers itself, by a signature for example. */
    boolean open() default false;
}
