package dev.turno.task;

import dev.turno.sql.StorableText;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/**
 * A task to be scheduled.
 *
 * @param at its instant; one in the past means now
 * @param in from the scheduling until its instant, if no instant is given
 * @param key a name that one task of the type has at most; 1 to 200 characters
 * @param ifThere what happens to a task that has the key already
 * @param priority 0 to 9; of tasks that are due a higher number goes first
 * @param lane tasks with the same lane run one after the other, the earliest instant first; they are taken dynamically
 */
public record NewTask(
        String type,
        String body,
        Optional<Instant> at,
        Duration in,
        Optional<String> key,
        IfThere ifThere,
        int priority,
        Optional<String> lane) {

    /** What happens to a task that has the key already. */
    public enum IfThere {
        /** It stays as it is, and nothing is scheduled. */
        KEEP,
        /** It is given up if it has not begun, and the new one gets the key. */
        REPLACE
    }

    public static final int LONGEST_TYPE = 100;
    public static final int LONGEST_KEY = 200;
    public static final int LONGEST_LANE = 200;
    public static final int USUAL_PRIORITY = 5;
    private static final Duration LONGEST_WAIT = Duration.ofDays(366 * 100L);
    private static final Instant EARLIEST = Instant.EPOCH;
    private static final Instant LATEST = Instant.parse("9000-01-01T00:00:00Z");

    public NewTask {
        StorableText.require("type of a task", type, LONGEST_TYPE);
        key.ifPresent(text -> StorableText.require("key of a task", text, LONGEST_KEY));
        lane.ifPresent(text -> StorableText.require("lane of a task", text, LONGEST_LANE));
        StorableText.requireStorable("body of a task of type", type, body);
        if (priority < 0 || priority > 9) {
            throw new IllegalArgumentException("The priority is " + priority + "; use 0 to 9, 9 first.");
        }
        if (in.isNegative() || in.compareTo(LONGEST_WAIT) > 0) {
            throw new IllegalArgumentException("The task is to wait for " + in + "; use zero to 100 years.");
        }
        at.ifPresent(NewTask::requireMoment);
    }

    static void requireMoment(Instant moment) {
        if (moment.isBefore(EARLIEST) || moment.isAfter(LATEST)) {
            throw new IllegalArgumentException(
                    "The instant is " + moment + "; use one from " + EARLIEST + " to " + LATEST + ".");
        }
    }

    public static NewTask at(String type, String body, Instant at) {
        return new NewTask(
                type,
                body,
                Optional.of(at),
                Duration.ZERO,
                Optional.empty(),
                IfThere.KEEP,
                USUAL_PRIORITY,
                Optional.empty());
    }

    public static NewTask in(String type, String body, Duration in) {
        return new NewTask(
                type, body, Optional.empty(), in, Optional.empty(), IfThere.KEEP, USUAL_PRIORITY, Optional.empty());
    }

    public NewTask withKey(String wished, IfThere there) {
        return new NewTask(type, body, at, in, Optional.of(wished), there, priority, lane);
    }

    public NewTask withPriority(int wished) {
        return new NewTask(type, body, at, in, key, ifThere, wished, lane);
    }

    public NewTask inLane(String wished) {
        return new NewTask(type, body, at, in, key, ifThere, priority, Optional.of(wished));
    }

    /** What the narrowest of the databases can store. */
    void requireFits() {
        if (body.length() > TaskOptions.LONGEST_BODY) {
            throw new IllegalArgumentException("The body of a task of type '" + type + "' has " + body.length()
                    + " characters; use at most " + TaskOptions.LONGEST_BODY + ". Nothing was stored.");
        }
    }
}
