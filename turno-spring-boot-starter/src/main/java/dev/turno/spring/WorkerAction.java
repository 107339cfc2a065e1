package dev.turno.spring;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Makes a {@link dev.turno.run.Job} bean an action that can be run on a subject. Several jobs with the same action run one after the other, in
 * the order in which the beans are defined; what the first of them says holds. The same can be configured under {@code turno.actions}.
 *
 * <pre>{@code
 * @Bean
 * @WorkerAction(value = "INDEX_ACTION", properties = "INDEX_FRONTEND", runOnSchedule = true)
 * Job<Record> index(...) { return Job.of("index", ...); }
 * }</pre>
 */
@Target({ElementType.METHOD, ElementType.TYPE})
@Retention(RetentionPolicy.RUNTIME)
@Documented
public @interface WorkerAction {

    /** The action's name. */
    String value();

    /** For people. */
    String description() default "";

    /** On a schedule it runs on subjects for which one of these is true. */
    String[] properties() default {};

    /** Whether its jobs are asked to look only at what is new. */
    boolean incremental() default false;

    /** Whether it runs on a subject's schedule. */
    boolean runOnSchedule() default false;

    /** Whether it runs on a schedule whatever the properties say. */
    boolean alwaysRunOnSchedule() default false;
}
