package dev.turno.server.external;

import dev.turno.claim.Finish;
import dev.turno.claim.Verdict;
import dev.turno.inbox.Inbox;
import dev.turno.watch.Watcher;
import dev.turno.watch.WorkEvent;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * Tells what workers outside did, as those inside tell it themselves: charts, meters, stories and events know of nothing else. How long they
 * worked is not told, because nobody saw it. Shared by threads.
 */
final class Reports {

    /** What was to be written for a message. */
    record Written(String id, String key, int attempt, Verdict verdict) {}

    private final Watcher watcher;

    Reports(Watcher watcher) {
        this.watcher = watcher;
    }

    private static String who(Inbox inbox) {
        return "inbox " + inbox.name();
    }

    void taken(Inbox inbox, int count) {
        if (count > 0) {
            watcher.on(new WorkEvent.Taken(who(inbox), count));
        }
    }

    void trouble(Inbox inbox, RuntimeException e) {
        watcher.on(new WorkEvent.Trouble(who(inbox), e, Duration.ZERO));
    }

    void givenBack(Inbox inbox, int count) {
        if (count > 0) {
            watcher.on(new WorkEvent.GivenBack(who(inbox), count));
        }
    }

    /** @param finishes what the database made of each, in the same order */
    void finished(Inbox inbox, List<Written> all, List<Finish> finishes) {
        List<Verdict> kept = new ArrayList<>();
        int unknown = 0;
        for (int i = 0; i < all.size(); i++) {
            Written one = all.get(i);
            if (finishes.get(i) instanceof Finish.Kept) {
                kept.add(one.verdict());
                tellFailure(inbox, one);
            } else if (finishes.get(i) instanceof Finish.Lost lost) {
                lost(inbox, one.key(), one.verdict().claim().fence(), lost.because());
            } else if (!(finishes.get(i) instanceof Finish.Open)) { // that one is told when it is written
                unknown++;
            }
        }
        watcher.on(new WorkEvent.Finished(
                who(inbox),
                count(kept, Verdict.Done.class),
                count(kept, Verdict.Again.class),
                count(kept, Verdict.Dead.class),
                unknown,
                List.of()));
    }

    /** A finish that came too late. */
    void lost(Inbox inbox, String key, long fence, String because) {
        watcher.on(new WorkEvent.Lost(who(inbox), key, fence, because));
    }

    private void tellFailure(Inbox inbox, Written one) {
        if (one.verdict() instanceof Verdict.Again again) {
            watcher.on(new WorkEvent.Failed(who(inbox), one.key(), one.attempt(), again.error(), again.in()));
        } else if (one.verdict() instanceof Verdict.Dead dead) {
            watcher.on(new WorkEvent.Dead(who(inbox), one.key(), one.attempt(), dead.error()));
        }
    }

    private static int count(List<Verdict> verdicts, Class<? extends Verdict> kind) {
        return (int) verdicts.stream().filter(kind::isInstance).count();
    }
}
