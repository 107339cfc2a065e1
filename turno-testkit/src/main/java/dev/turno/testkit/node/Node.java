package dev.turno.testkit.node;

import dev.turno.Turno;
import dev.turno.claim.Finish;
import dev.turno.claim.Taken;
import dev.turno.claim.Verdict;
import dev.turno.inbox.Inbox;
import dev.turno.inbox.InboxOptions;
import dev.turno.inbox.Message;
import java.time.Duration;
import java.util.List;

/** One named node. What it does by hand uses its own id; killed or paused, it reaches the database no more. */
public final class Node {

    private final String name;
    private final Turno turno;
    private final NodeSource source;

    Node(String name, Turno turno, NodeSource source) {
        this.name = name;
        this.turno = turno;
        this.source = source;
    }

    public String name() {
        return name;
    }

    public Turno turno() {
        return turno;
    }

    public Inbox inbox(String inbox) {
        return turno.inbox(inbox);
    }

    public Inbox inbox(String inbox, InboxOptions options) {
        return turno.inbox(inbox, options);
    }

    /** One round of the heartbeat: renews, notices the dead, frees their rows. */
    public void beat() {
        turno.beat();
    }

    public List<Taken<Message>> take(String inbox, int limit) {
        return inbox(inbox).rows().take(turno.holder(), limit);
    }

    public Taken<Message> takeOne(String inbox) {
        List<Taken<Message>> taken = take(inbox, 1);
        if (taken.isEmpty()) {
            throw new AssertionError(name + " found nothing to take in inbox '" + inbox + "'.");
        }
        return taken.get(0);
    }

    public Finish done(String inbox, Taken<Message> taken) {
        return finish(inbox, new Verdict.Done(taken.claim()));
    }

    public Finish again(String inbox, Taken<Message> taken, Duration in, String error) {
        return finish(inbox, new Verdict.Again(taken.claim(), in, error));
    }

    public Finish dead(String inbox, Taken<Message> taken, String error) {
        return finish(inbox, new Verdict.Dead(taken.claim(), error));
    }

    public Finish finish(String inbox, Verdict verdict) {
        return inbox(inbox).rows().finish(turno.holder(), List.of(verdict)).get(0);
    }

    /** Dead from now on: no statement of its reaches the database, and it gives nothing back. */
    void kill() {
        source.cut();
    }

    /** Frozen: its next connection waits until {@link #resume}. */
    void pause() {
        source.hold();
    }

    void resume() {
        source.open();
    }
}
