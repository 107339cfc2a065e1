package dev.turno.spring;

import dev.turno.task.NewSchedule.Missed;
import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * A bean's method that runs by a cron line, each time in one of the processes. It may take the {@link dev.turno.task.Task} and the
 * {@link dev.turno.claim.Turn}. Each run is a task of a type with the name of the schedule, and is retried like one:
 * {@code turno.tasks.<name>}.
 */
@Target(ElementType.METHOD)
@Retention(RetentionPolicy.RUNTIME)
@Documented
public @interface TurnoCron {

    /** The cron line, of five or six fields; may be a placeholder such as <code>${report.cron}</code>. */
    String value();

    /** The schedule's name in the namespace. It is the identity: under another name it is another schedule. */
    String name();

    /** The zone whose clock is meant; empty: that of this machine, which should then be the same on all of them. */
    String zone() default "";

    /** What to do about runs whose time passed while no process was there. */
    Missed missed() default Missed.ONCE;

    /** As {@link InboxHandler#transactional()}. */
    boolean transactional() default false;
}
