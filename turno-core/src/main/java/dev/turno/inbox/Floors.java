package dev.turno.inbox;

import dev.turno.claim.Taken;
import dev.turno.sql.Database;
import dev.turno.time.Time;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/**
 * From where a take has to look in each priority class. What was taken and finished leaves dead entries at the head of the turn
 * index until a vacuum comes, and a take that starts at the beginning walks over all of them.
 *
 * <p>In a class nothing that is free comes before what was taken last, and a message's turn is never before its put; so the newest
 * {@code put_at} taken is a floor. Late commits, lapsed claims and what was given back can lie below it: once a second a take looks
 * from the beginning; less often, up to every ten seconds, where that takes long because no vacuum can clean up. Shared by threads.
 */
final class Floors {

    private static final int CLASSES = 10;
    private static final long FROM_THE_BEGINNING_EVERY = Duration.ofSeconds(1).toNanos();
    private static final long AT_LEAST_EVERY = Duration.ofSeconds(10).toNanos();

    /** A look from the beginning may take this part of the time: it is there for the few. */
    private static final int PART = 20;

    /** When little is waiting, a put whose transaction lasts for so long is still found at once. */
    private static final long SLACK_MICROS = Database.micros(Duration.ofSeconds(2));

    /** Where one take looks: microseconds since 1970, class by class. */
    record Look(List<Long> micros, boolean fromTheBeginning, long begunAt) {}

    private final Time time;
    private final List<Long> newest = new ArrayList<>(Collections.nCopies(CLASSES, 0L));
    private long lookedFromTheBeginningAt;
    private long nextLookAfter = FROM_THE_BEGINNING_EVERY;
    private boolean backlog;

    Floors(Time time) {
        this.time = time;
        this.lookedFromTheBeginningAt = time.nanos() - FROM_THE_BEGINNING_EVERY;
    }

    /** For the next take. */
    synchronized Look look() {
        long now = time.nanos();
        if (now - lookedFromTheBeginningAt >= nextLookAfter) {
            lookedFromTheBeginningAt = now;
            return new Look(Collections.nCopies(CLASSES, 0L), true, now);
        }
        long slack = backlog ? 0 : SLACK_MICROS;
        return new Look(
                newest.stream().map(micros -> Math.max(0, micros - slack)).toList(), false, now);
    }

    synchronized void learn(Look look, List<Taken<Message>> taken, int asked) {
        backlog = taken.size() == asked;
        if (look.fromTheBeginning()) {
            long lasted = time.nanos() - look.begunAt();
            nextLookAfter = Math.min(AT_LEAST_EVERY, Math.max(FROM_THE_BEGINNING_EVERY, PART * lasted));
        }
        for (Taken<Message> one : taken) {
            int priorityClass = 9 - one.row().priority();
            long put = Database.micros(one.row().putAt());
            newest.set(priorityClass, Math.max(newest.get(priorityClass), put));
        }
    }
}
