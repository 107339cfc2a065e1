package dev.turno.certification.intake;

import dev.turno.Turno;
import dev.turno.certification.authority.CertificationAuthority;
import dev.turno.certification.authority.CertificationAuthority.Asked;
import dev.turno.certification.authority.CertificationAuthority.Proposal;
import dev.turno.certification.calendar.CalendarSource;
import dev.turno.certification.calendar.Calendars;
import dev.turno.certification.intake.Passing.Sight;
import dev.turno.certification.intake.RequestTable.Stored;
import dev.turno.certification.notification.Notifications;
import dev.turno.certification.notification.Notifications.Told;
import dev.turno.certification.sql.CommitUnknownException;
import dev.turno.certification.sql.Sql;
import dev.turno.certification.wire.Answer;
import dev.turno.certification.wire.CertificationRequest;
import dev.turno.claim.DatabaseAwayException;
import dev.turno.lock.Lease;
import dev.turno.lock.LockOutcome;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.util.List;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.dao.DataAccessResourceFailureException;
import org.springframework.dao.DuplicateKeyException;
import org.springframework.dao.NonTransientDataAccessResourceException;
import org.springframework.dao.RecoverableDataAccessException;
import org.springframework.dao.TransientDataAccessException;
import org.springframework.transaction.TransactionException;

/**
 * Takes in requests: recognises repetitions, keeps one request per worker and benefit under way, has it decided and stores the answer
 * together with its notification. Shared by threads.
 *
 * <p>All of the exclusion is one of Turno's locks, named after the worker and the benefit: the same content leads to the same lock,
 * and other content under the same folio is refused by the folio itself.
 */
public final class Intake implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(Intake.class);
    private static final Duration SOON = Duration.ofSeconds(1);

    private final Scope scope;
    private final Turno turno;
    private final Sql sql;
    private final Calendars calendars;
    private final CertificationAuthority authority;
    private final Notifications notifications;
    private final IntakeSettings settings;
    private final CalendarSource calendar;
    private final Identities identities;
    private final RequestTable table;
    private final Optional<Passing> passing;
    private final Reconciler reconciler;
    private final Retention retention;
    private volatile boolean inScope;

    public Intake(
            Turno turno,
            Sql sql,
            Calendars calendars,
            CertificationAuthority authority,
            Notifications notifications,
            IntakeSettings settings) {
        this.scope = new Scope(turno.namespace(), settings.operation());
        this.turno = turno;
        this.sql = sql;
        this.calendars = calendars;
        this.authority = authority;
        this.notifications = notifications;
        this.settings = settings;
        this.calendar = calendars.of(settings.process());
        this.identities = Identities.open(sql, settings.operation());
        this.table = new RequestTable(sql);
        this.passing = sql.changesTablesTogether() && authority instanceof CertificationAuthority.Inside
                ? Optional.of(new Passing(sql, turno.namespace(), settings.terms(), notifications.inbox()))
                : Optional.empty();
        this.reconciler = new Reconciler(turno, sql, table, identities, authority, notifications, settings);
        this.retention = new Retention(table, settings.keep());
    }

    /** Begins to notify, to reconcile and to prune in this process. */
    public void start() {
        notifications.start(id -> table.find(id)
                .flatMap(stored ->
                        stored.answer().map(answer -> new Notifications.Told(stored.folio(), stored.afore(), answer))));
        reconciler.start();
        retention.start();
    }

    /** Never throws because the database or the authority is away: that is an outcome. */
    public Outcome certify(CertificationRequest request, Optional<String> idempotencyKey) {
        try {
            requireScope();
            return recognised(request, identities.of(request, idempotencyKey));
        } catch (RuntimeException e) {
            if (isAway(e)) {
                return new Outcome.Unavailable(
                        "the database cannot be reached: " + e.getClass().getName());
            }
            throw e;
        }
    }

    /** At the first request and not before: whoever certifies nothing may share the database. */
    private void requireScope() {
        if (!inScope) {
            scope.require(sql);
            inScope = true;
        }
    }

    /** Whether it is the database's fault and may pass. */
    public static boolean isAway(RuntimeException e) {
        return e instanceof DatabaseAwayException
                || e instanceof DataAccessResourceFailureException
                || e instanceof NonTransientDataAccessResourceException
                || e instanceof TransientDataAccessException
                || e instanceof RecoverableDataAccessException
                || e instanceof TransactionException;
    }

    /** A finished one is answered whatever the day: Saturday's repetition of Friday's request gets Friday's answer. */
    private Outcome recognised(CertificationRequest request, Identity identity) {
        Sight sight = look(identity);
        Optional<Outcome> known = judge(sight.found(), identity);
        if (known.isPresent()) {
            return known.get();
        }
        LocalDate today = calendars.today();
        if (!calendars.day(calendar, today).open()) {
            return new Outcome.NotABusinessDay(calendars.next(calendar, today).date());
        }
        try {
            return passed(request, identity, today, sight)
                    .orElseGet(
                            () -> inTurn(request, identity, today, sight.found().isEmpty()));
        } catch (DuplicateKeyException e) {
            return afterAnother(identity, e);
        }
    }

    /** Another one with the same folio or key, or of the same worker, was quicker by a moment. */
    private Outcome afterAnother(Identity identity, DuplicateKeyException e) {
        List<Stored> found = table.lookInside(identity);
        if (found.isEmpty()) {
            LOG.warn(
                    "A row stands in the way of request {}, and no other request explains it. Nothing was stored; the"
                            + " caller is asked to come again. If that goes on, look into it: nothing will mend it by itself.",
                    identity.folioId(),
                    safe(e));
        }
        return judge(found, identity).orElseGet(() -> new Outcome.InFlight(SOON));
    }

    private Sight look(Identity identity) {
        return passing.map(way -> way.look(identity))
                .orElseGet(() -> new Sight(table.look(identity), Optional.empty()));
    }

    /** The short way of a new request, whose worker's lock nobody has. Empty if it has to be taken in its turn: nothing was stored. */
    private Optional<Outcome> passed(CertificationRequest request, Identity identity, LocalDate today, Sight sight) {
        if (sight.freeFence().isEmpty() || !sight.found().isEmpty()) {
            return Optional.empty();
        }
        CertificationAuthority.Inside rules = (CertificationAuthority.Inside) authority;
        String decision = identities.decision(identity, today);
        return rules.propose(request, decision, today)
                .flatMap(proposal -> passed(
                        request, identity, decision, proposal, sight.freeFence().get()));
    }

    private Optional<Outcome> passed(
            CertificationRequest request, Identity identity, String decision, Proposal proposal, long seenFence) {
        try {
            Optional<Long> fence = passing.orElseThrow().complete(identity, request, decision, proposal, seenFence);
            if (fence.isEmpty()) {
                // Whoever had the lock meanwhile may have had the same request.
                return judge(table.look(identity), identity);
            }
            notifications.wasPut(
                    identity.folioId(),
                    identity.guard(),
                    fence.get(),
                    new Told(request.folioTramiteProcesar(), request.claveAdminActual(), proposal.answer()));
            return Optional.of(new Outcome.Answered(proposal.answer(), false));
        } catch (CommitUnknownException e) {
            return Optional.of(unknown(identity));
        }
    }

    /** To say that nothing was done might be a lie. Who asks again gets the answer, or has it decided then. */
    private static Outcome unknown(Identity identity) {
        return new Outcome.Unknown(identity.folioId());
    }

    /** What can be said without running anything. */
    private static Optional<Outcome> judge(List<Stored> found, Identity identity) {
        for (Stored stored : found) {
            if (!stored.isNamedBy(identity)) {
                continue;
            }
            if (!stored.fingerprint().equals(identity.fingerprint())) {
                return Optional.of(new Outcome.OtherContent());
            }
            if (stored.state() == RequestState.AMBIGUOUS) {
                return Optional.of(new Outcome.Unknown(stored.folioId()));
            }
            if (stored.answer().isPresent()) {
                return Optional.of(new Outcome.Answered(stored.answer().get(), true));
            }
        }
        return Optional.empty();
    }

    private Outcome inTurn(CertificationRequest request, Identity identity, LocalDate today, boolean isNew) {
        LockOutcome<Outcome> outcome = turno.locks()
                .whileHolding(
                        identity.lockName(), settings.terms(), lease -> inside(lease, request, identity, today, isNew));
        return outcome.fold(
                LockOutcome.Ran::value,
                // Those before it in line have the same answer, perhaps, and it may be there by now.
                busy -> judge(table.look(identity), identity)
                        .orElseGet(() -> new Outcome.InFlight(until(busy.until()))),
                // What it answered was committed under the lock's guard, or it has nothing to say.
                lost -> lost.value().orElseGet(() -> new Outcome.InFlight(SOON)),
                away -> new Outcome.Unavailable("the lock cannot be asked for"));
    }

    /** Only for a header, so the clock of this machine is good enough. */
    private Duration until(Instant moment) {
        Duration left = Duration.between(Instant.now(), moment);
        Duration lease = settings.terms().lease();
        return left.compareTo(SOON) < 0 ? SOON : left.compareTo(lease) > 0 ? lease : left;
    }

    private Outcome inside(
            Lease lease, CertificationRequest request, Identity identity, LocalDate today, boolean isNew) {
        if (authority instanceof CertificationAuthority.Inside rules) {
            try {
                return decided(rules, lease, request, identity, today, isNew);
            } catch (CommitUnknownException e) {
                return unknown(identity);
            }
        }
        return asked((CertificationAuthority.Outside) authority, lease, request, identity);
    }

    /**
     * Decides, stores, and gives the lock back: one transaction, which fails if the lock was lost. A request that nobody knew a moment
     * ago is not looked for again: if it is there by now, nothing is stored.
     */
    private Outcome decided(
            CertificationAuthority.Inside rules,
            Lease lease,
            CertificationRequest request,
            Identity identity,
            LocalDate today,
            boolean isNew) {
        return sql.transaction(connection -> {
            List<Stored> found = isNew ? List.of() : table.lookInside(identity);
            Optional<Outcome> known = inherited(connection, lease, found, identity);
            if (known.isPresent()) {
                return known.get();
            }
            Answer answer = rules.decide(request, identities.decision(identity, today), today);
            if (found.isEmpty()) {
                table.completeAtOnce(identity, request, lease.fence(), answer);
            } else {
                table.completeAgain(identity, lease.fence(), answer);
            }
            notifications.put(connection, identity.folioId(), identity.guard(), lease.fence());
            lease.releaseIn(connection);
            return new Outcome.Answered(answer, false);
        });
    }

    /** What those before left behind. We have their lock: whoever is IN_PROGRESS died after sending. */
    private Optional<Outcome> inherited(Connection connection, Lease lease, List<Stored> found, Identity identity)
            throws SQLException {
        boolean dead = false;
        for (Stored stored : found) {
            if (stored.state() == RequestState.IN_PROGRESS) {
                table.doubt(stored.folioId(), stored.fence(), lease.fence());
                dead = true;
            }
        }
        if (dead) {
            lease.guard(connection);
        }
        List<Stored> now = dead ? table.lookInside(identity) : found;
        return judge(now, identity)
                .or(() -> now.stream().anyMatch(Stored::isOpen)
                        ? Optional.of(new Outcome.InFlight(settings.terms().lease()))
                        : Optional.empty());
    }

    private Outcome asked(
            CertificationAuthority.Outside validator, Lease lease, CertificationRequest request, Identity identity) {
        Optional<Outcome> known = sql.transaction(connection -> marked(connection, lease, request, identity));
        if (known.isPresent()) {
            return known.get();
        }
        Asked asked = identities.checked(
                validator.ask(request, identity.folioId()), identity.guard(), request.claveAdminActual());
        try {
            return settled(lease, identity, asked);
        } catch (RuntimeException e) {
            // It was sent, and its end is not stored: the reconciler asks for it.
            LOG.warn("The end of request {} could not be stored; it is asked for later.", identity.folioId(), safe(e));
            return new Outcome.Unknown(identity.folioId());
        }
    }

    /** Only the class and the place: a message of the database's may quote a row. */
    private static Throwable safe(RuntimeException e) {
        Exception safe = new Exception(e.getClass().getName());
        safe.setStackTrace(e.getStackTrace());
        return safe;
    }

    /** Commits that it is being sent, before it is. */
    private Optional<Outcome> marked(
            Connection connection, Lease lease, CertificationRequest request, Identity identity) throws SQLException {
        List<Stored> found = table.lookInside(identity);
        Optional<Outcome> known = inherited(connection, lease, found, identity);
        if (known.isPresent()) {
            return known;
        }
        if (found.isEmpty()) {
            table.send(identity, request, lease.fence());
        } else {
            table.sendAgain(identity, lease.fence());
        }
        reconciler.put(connection, identity, lease.fence());
        lease.guard(connection);
        return Optional.empty();
    }

    private Outcome settled(Lease lease, Identity identity, Asked asked) {
        return sql.transaction(connection -> {
            Outcome settled = settled(connection, identity, lease.fence(), asked);
            lease.releaseIn(connection);
            return settled;
        });
    }

    private Outcome settled(Connection connection, Identity identity, long fence, Asked asked) throws SQLException {
        String folioId = identity.folioId();
        if (asked instanceof Asked.Answered answered) {
            table.complete(folioId, fence, fence, answered.answer());
            notifications.put(connection, folioId, identity.guard(), fence);
            return new Outcome.Answered(answered.answer(), false);
        } else if (asked instanceof Asked.NotDone notDone) {
            table.free(folioId, fence, fence);
            return new Outcome.Unavailable(notDone.why());
        }
        table.doubt(folioId, fence, fence);
        return new Outcome.Unknown(folioId);
    }

    /** How a request stands, for its own AFORE; empty if there is none under this reference. */
    public Optional<Found> find(String reference) {
        return table.find(reference).map(stored -> new Found(stored.afore(), stored.state(), stored.answer()));
    }

    /** A request that was begun. */
    public record Found(String afore, RequestState state, Optional<Answer> answer) {}

    /** Stops its own thread; the inboxes end with their Turno. */
    @Override
    public void close() {
        retention.close();
    }
}
