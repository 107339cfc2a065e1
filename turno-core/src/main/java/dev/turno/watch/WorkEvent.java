package dev.turno.watch;

import java.time.Duration;
import java.util.List;

/** Something that happened. {@code who} names the feature and the thing, for example {@code inbox orders}. */
public sealed interface WorkEvent {

    /** Rows were taken in one statement. */
    record Taken(String who, int count) implements WorkEvent {}

    /**
     * Verdicts were written in one go. {@code again} are retries, {@code dead} were parked.
     *
     * @param took in the handler of each; empty of workers outside of Turno's processes, whom nobody sees at work
     */
    record Finished(String who, int done, int again, int dead, int unknown, List<Duration> took) implements WorkEvent {}

    /** A handler threw, or asked for a retry. */
    record Failed(String who, String key, int attempt, String error, Duration again) implements WorkEvent {}

    /** An item was parked as DEAD. */
    record Dead(String who, String key, int attempt, String error) implements WorkEvent {}

    /** A write was refused because its fence was no longer the newest. */
    record Lost(String who, String key, long fence, String because) implements WorkEvent {}

    /** A handler passed its maximum run time and was interrupted. */
    record Overran(String who, String key, Duration maxRun) implements WorkEvent {}

    /** Rows were returned without having been run. */
    record GivenBack(String who, int count) implements WorkEvent {}

    /** A holder was found dead by this process. */
    record Reaped(String node, String holder) implements WorkEvent {}

    /** Rows of dead holders were freed by this process. */
    record Freed(String who, int count) implements WorkEvent {}

    /** Tasks were shared out, or changed hands, among so many holders. */
    record Assigned(String who, int count, int holders, Duration took) implements WorkEvent {}

    /** Tasks of a share were armed for their instants; {@code refused} had changed since they were loaded. */
    record Armed(String who, int count, int refused) implements WorkEvent {}

    /** Runs of a cron schedule became tasks; {@code skipped}: the schedule was behind, and some runs were left out. */
    record Planned(String schedule, int count, boolean skipped) implements WorkEvent {}

    /** This process was declared dead by another; it goes on under a new id. */
    record DeclaredDead(String node, String holder) implements WorkEvent {}

    /** A lock was taken. */
    record LockTaken(String name, long fence) implements WorkEvent {}

    /** A lock was not taken because somebody has it. */
    record LockBusy(String name, String holder) implements WorkEvent {}

    /** A lock was not taken because the database could not be asked. */
    record LockUnavailable(String name, String why) implements WorkEvent {}

    /** A lock went to somebody else, or its lease passed, before it was released. */
    record LockLost(String name, long fence, String because) implements WorkEvent {}

    /** A person took a lock from its holder. */
    record LockForced(String name, String holder, long fence, String reason, String by) implements WorkEvent {}

    /** A run was taken and begins, or goes on. */
    record RunStarted(long run, String job, String subject, long fence) implements WorkEvent {}

    /** A run has ended, as DONE, STOPPED or DEAD. */
    record RunEnded(long run, String state, String error) implements WorkEvent {}

    /** A run waits for something outside. */
    record RunParked(long run, Duration in, String because) implements WorkEvent {}

    /** The moment of a subject's schedule came, and its runs were refused. */
    record ScheduleRefused(String subject, String because) implements WorkEvent {}

    /** Something failed that is not an item's handler, mostly because the database could not be asked; it is tried again. */
    record Trouble(String who, Throwable error, Duration pause) implements WorkEvent {}

    /** The first success after trouble. */
    record Recovered(String who) implements WorkEvent {}
}
