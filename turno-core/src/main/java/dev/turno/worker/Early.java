package dev.turno.worker;

import dev.turno.claim.Claim;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.Predicate;

/** Claims that a worker has ahead of their moment. Belongs to one thread at a time. */
public final class Early<R> {

    private final Handling<R> handling;
    private final List<Running<R>> all;
    private final Queue<Running<R>> line = new ConcurrentLinkedQueue<>();

    /** @param all in the hand already, and its own to shorten */
    Early(Handling<R> handling, List<Running<R>> all) {
        this.handling = handling;
        this.all = all;
    }

    public int size() {
        return all.size();
    }

    /** Those that did not become ours after all. */
    public void drop(Predicate<Claim> notOurs) {
        all.removeIf(running -> notOurs.test(running.claim()) && handling.hand.remove(running.claim()));
        if (handling.isStopping()) {
            handling.hand.giveBackWaiting(all); // the end may have come, and given them back, before they were made
        }
    }

    /** The answer of the statement was lost: if it was carried out, the rows are given back. */
    public void dropUnanswered() {
        drop(claim -> true);
        handling.hand.answerLost();
    }

    /** Their moment has come. Until they have begun, nothing else of the worker talks to the database. */
    public void start() {
        line.addAll(all);
        handling.rush(line, all.size());
    }

    /** Gives back what has not begun, so that others can run it; answers how many. */
    public int giveBackWaiting() {
        int given = handling.hand.giveBackWaiting(all);
        handling.runAll(line); // none of them runs any more: this only lets the worker go on
        return given;
    }
}
