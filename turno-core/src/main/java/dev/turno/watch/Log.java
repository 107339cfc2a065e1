package dev.turno.watch;

import java.sql.SQLException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Writes what a person should read to the log: trouble as warnings, the daily round at debug. */
public final class Log implements Watcher {

    private static final Logger LOG = LoggerFactory.getLogger("dev.turno");

    public Log() {}

    @Override
    public void on(WorkEvent event) {
        if (event instanceof WorkEvent.Trouble trouble) {
            tell(trouble);
        } else if (event instanceof WorkEvent.Dead dead) {
            LOG.warn(
                    "{}: {} is DEAD after attempt {}: {}",
                    dead.who(),
                    dead.key(),
                    dead.attempt(),
                    firstLine(dead.error()));
        } else if (event instanceof WorkEvent.Lost
                || event instanceof WorkEvent.Overran
                || event instanceof WorkEvent.Reaped
                || event instanceof WorkEvent.DeclaredDead
                || event instanceof WorkEvent.LockLost
                || event instanceof WorkEvent.LockForced
                || event instanceof WorkEvent.ScheduleRefused) {
            LOG.warn("{}", event);
        } else if (event instanceof WorkEvent.Freed
                || event instanceof WorkEvent.Recovered
                || event instanceof WorkEvent.RunStarted
                || event instanceof WorkEvent.RunEnded
                || event instanceof WorkEvent.RunParked) {
            LOG.info("{}", event);
        } else if (event instanceof WorkEvent.Failed failed) {
            LOG.info(
                    "{}: attempt {} of {} failed, next in {} ms: {}",
                    failed.who(),
                    failed.attempt(),
                    failed.key(),
                    failed.again().toMillis(),
                    firstLine(failed.error()));
        } else {
            LOG.debug("{}", event);
        }
    }

    /** A database that is away needs no stack trace, and would write many. */
    private static void tell(WorkEvent.Trouble trouble) {
        if (trouble.error().getCause() instanceof SQLException) {
            LOG.warn(
                    "{} cannot reach the database and tries again in {} ms: {}",
                    trouble.who(),
                    trouble.pause().toMillis(),
                    trouble.error().toString());
        } else {
            LOG.warn(
                    "{} has trouble and tries again in {} ms",
                    trouble.who(),
                    trouble.pause().toMillis(),
                    trouble.error());
        }
    }

    private static String firstLine(String text) {
        return text.lines().findFirst().orElse("");
    }
}
