package dev.turno.certification.notification;

import dev.turno.Turno;
import dev.turno.certification.wire.Answer;
import dev.turno.certification.wire.Wire;
import dev.turno.claim.Result;
import dev.turno.inbox.Inbox;
import dev.turno.inbox.InboxOptions;
import dev.turno.inbox.NewMessage;
import dev.turno.inbox.PutOutcome;
import dev.turno.worker.Backoff;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/**
 * Tells AFOREs how their requests ended, through an inbox: put with the answer, sent afterwards, repeated until it was received. The
 * message is only the request's reference, so that nobody who looks at the inbox sees a person. Shared by threads.
 */
public final class Notifications {

    /** What is told about a request. */
    public record Told(String folio, String afore, Answer answer) {

        /** Without anything personal: it may end in a log. */
        @Override
        public String toString() {
            return "Told[afore=" + afore + "]";
        }
    }

    /** What need not be read again, and since when. */
    private record Fresh(Told told, long since) {

        boolean isOld() {
            return System.nanoTime() - since > LONGEST_FRESH.toNanos();
        }
    }

    public static final String INBOX = "certification-notifications";
    private static final int ATTEMPTS = 50;
    private static final int MOST_FRESH = 1_000;
    private static final Duration LONGEST_FRESH = Duration.ofMinutes(1);

    private final Turno turno;
    private final Optional<NotificationSender> sender;
    private final Inbox inbox;

    /** What this process has stored lately, by message: it is not read again to be told. Persons are in it, so it is not kept for long. */
    private final Map<String, Fresh> fresh = new LinkedHashMap<>(); // guarded by itself

    /** @param sender empty: nobody wants to be told */
    public Notifications(Turno turno, Optional<NotificationSender> sender) {
        this.turno = turno;
        this.sender = sender;
        this.inbox = turno.inbox(
                INBOX,
                InboxOptions.of(o -> o.threads(8)
                        .maxAttempts(ATTEMPTS)
                        .backoff(Backoff.exponential(Duration.ofSeconds(1), Duration.ofMinutes(10)))));
    }

    /** Begins to send in this process. */
    public void start(Function<String, Optional<Told>> results) {
        sender.ifPresent(to -> {
            var unused = turno.handle(
                    inbox,
                    (message, turn) ->
                            send(to, takeFresh(message.id()).or(() -> results.apply(message.body())), message.id()));
        });
    }

    private static Result send(NotificationSender sender, Optional<Told> result, String id) throws Exception {
        if (result.isEmpty()) {
            return Result.reject("The answer is no longer kept, so nobody can be told of it.");
        }
        Told found = result.get();
        return sender.send(id, Wire.notification(found.folio(), found.afore(), found.answer()));
    }

    /**
     * In the transaction that stores the answer. Nobody is woken for it: the workers look every few moments while answers are stored, and
     * so take many at once.
     *
     * @param guard of the worker and the benefit: each of them has fences of its own
     * @param fence under which the answer is stored: a folio that comes back when its answer is no longer kept is told of again
     */
    public void put(Connection connection, String reference, String guard, long fence) throws SQLException {
        if (sender.isPresent()) {
            PutOutcome unused = inbox.put(connection, NewMessage.of(id(reference, guard, fence), reference));
        }
    }

    private static String id(String reference, String guard, long fence) {
        return reference + ":" + guard + ":" + fence;
    }

    /** The inbox for a statement that puts the message itself, as {@link #put} would; empty if nobody wants to be told. */
    public Optional<String> inbox() {
        return sender.map(any -> inbox.name());
    }

    /** The message was put by a statement of somebody's own. */
    public void wasPut(String reference, String guard, long fence, Told told) {
        if (sender.isPresent()) {
            keepFresh(id(reference, guard, fence), told);
            inbox.wakeSoon();
        }
    }

    private void keepFresh(String id, Told told) {
        synchronized (fresh) {
            fresh.put(id, new Fresh(told, System.nanoTime()));
            Iterator<Fresh> oldest = fresh.values().iterator();
            for (Fresh one = oldest.next(); fresh.size() > MOST_FRESH || one.isOld(); one = oldest.next()) {
                oldest.remove();
            }
        }
    }

    private Optional<Told> takeFresh(String id) {
        synchronized (fresh) {
            return Optional.ofNullable(fresh.remove(id)).map(Fresh::told);
        }
    }
}
