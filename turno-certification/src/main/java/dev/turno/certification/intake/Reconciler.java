package dev.turno.certification.intake;

import dev.turno.Turno;
import dev.turno.certification.authority.CertificationAuthority;
import dev.turno.certification.authority.CertificationAuthority.Asked;
import dev.turno.certification.intake.RequestTable.Stored;
import dev.turno.certification.notification.Notifications;
import dev.turno.certification.sql.Sql;
import dev.turno.claim.Result;
import dev.turno.inbox.Inbox;
import dev.turno.inbox.InboxOptions;
import dev.turno.inbox.NewMessage;
import dev.turno.inbox.PutOutcome;
import dev.turno.lock.Lease;
import dev.turno.lock.LockOutcome;
import dev.turno.lock.LockTerms;
import dev.turno.worker.Backoff;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Optional;

/**
 * Asks the authority what became of requests that were sent and never ended. Each sending leaves a message behind, in its own
 * transaction, for when its lease has passed: so nothing has to be searched for, and any instance can look after it.
 */
final class Reconciler {

    static final String INBOX = "certification-reconciliation";
    private static final int ATTEMPTS = 1_000;
    private static final Duration FIRST_PAUSE = Duration.ofSeconds(1);
    private static final Duration LONGEST_PAUSE = Duration.ofMinutes(10);

    private final Turno turno;
    private final Sql sql;
    private final RequestTable table;
    private final Identities identities;
    private final CertificationAuthority authority;
    private final Notifications notifications;
    private final LockTerms terms;
    private final Inbox inbox;

    Reconciler(
            Turno turno,
            Sql sql,
            RequestTable table,
            Identities identities,
            CertificationAuthority authority,
            Notifications notifications,
            IntakeSettings settings) {
        this.turno = turno;
        this.sql = sql;
        this.table = table;
        this.identities = identities;
        this.authority = authority;
        this.notifications = notifications;
        this.terms = settings.terms().with(t -> t.waitUpTo(Duration.ZERO).retries(0));
        this.inbox = turno.inbox(
                INBOX,
                InboxOptions.of(o -> o.threads(4)
                        .maxAttempts(ATTEMPTS)
                        .backoff(Backoff.exponential(FIRST_PAUSE, LONGEST_PAUSE))
                        .keepNone()));
    }

    void start() {
        var unused = turno.handle(inbox, (message, turn) -> handle(message.body()));
    }

    /** In the transaction that marks a request as sent. Worker and fence make each sending a message of its own. */
    void put(Connection connection, Identity identity, long fence) throws SQLException {
        String id = identity.folioId() + ":" + identity.guard() + ":" + fence;
        PutOutcome unused =
                inbox.put(connection, NewMessage.of(id, identity.folioId()).after(terms.lease()));
    }

    private Result handle(String folioId) {
        Optional<Stored> stored = table.find(folioId).filter(Stored::isOpen);
        if (stored.isEmpty()) {
            return Result.done();
        }
        if (!(authority instanceof CertificationAuthority.Outside validator)) {
            return Result.reject("The request was sent to a validator, and none is configured now. Set"
                    + " turno.certification.authority.url again and revive this message.");
        }
        LockOutcome<Result> outcome = turno.locks()
                .whileHolding(
                        Identity.lockName(stored.get().openGuard().orElseThrow()),
                        terms,
                        lease -> reconciled(validator, lease, folioId));
        return outcome.fold(
                LockOutcome.Ran::value,
                busy -> Result.retryIn(FIRST_PAUSE, "still in progress"),
                lost -> Result.retry("the lock was lost"),
                away -> Result.retry("the lock could not be asked for"));
    }

    private Result reconciled(CertificationAuthority.Outside validator, Lease lease, String folioId) {
        Optional<Stored> stored = table.find(folioId).filter(Stored::isOpen);
        if (stored.isEmpty()) {
            return Result.done();
        }
        change(lease, connection -> table.doubt(folioId, stored.get().fence(), lease.fence()));
        String guard = stored.get().openGuard().orElseThrow();
        Asked asked = identities.checked(
                validator.recall(stored.get().folio(), folioId),
                guard,
                stored.get().afore());
        if (asked instanceof Asked.Unknown unknown) {
            return Result.retry(unknown.why());
        }
        if (asked instanceof Asked.Answered answered) {
            change(lease, connection -> {
                table.complete(folioId, lease.fence(), lease.fence(), answered.answer());
                notifications.put(connection, folioId, guard, lease.fence());
            });
        } else {
            change(lease, connection -> table.free(folioId, lease.fence(), lease.fence()));
        }
        return Result.done();
    }

    @FunctionalInterface
    private interface Change {
        void on(Connection connection) throws SQLException;
    }

    /** Fails, and changes nothing, if the lock was lost. */
    private void change(Lease lease, Change change) {
        boolean unused = sql.transaction(connection -> {
            change.on(connection);
            lease.guard(connection);
            return true;
        });
    }
}
