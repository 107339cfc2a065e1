package dev.turno.certification.intake;

import dev.turno.certification.authority.CertificationAuthority.Proposal;
import dev.turno.certification.authority.CertificationAuthority.Resolution;
import dev.turno.certification.intake.RequestTable.Stored;
import dev.turno.certification.sql.Sql;
import dev.turno.certification.wire.CertificationRequest;
import dev.turno.certification.wire.Wire;
import dev.turno.lock.LockTerms;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Types;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The short way of a new request past a lock that nobody has: looked at before the decision, taken and given back in the one statement
 * that stores it. No transaction is open and no lock is held while it is decided; if somebody had the lock meanwhile its fence tells,
 * and nothing is stored. Only where one statement can change several tables. Shared by threads.
 */
final class Passing {

    /** What stands there, and the fence of the worker's lock if nobody has it. */
    record Sight(List<Stored> found, Optional<Long> freeFence) {}

    private final Sql sql;
    private final String namespace;
    private final LockTerms terms;
    private final Optional<String> inbox;

    /** @param inbox of the notifications; empty: nobody is told */
    Passing(Sql sql, String namespace, LockTerms terms, Optional<String> inbox) {
        this.sql = sql;
        this.namespace = namespace;
        this.terms = terms;
        this.inbox = inbox;
    }

    /** Also what keeps the worker's turn. */
    Sight look(Identity identity) {
        return sql.call("intake.look-ahead")
                .param("namespace", namespace)
                .param("lock", identity.lockName())
                .param("folio_id", identity.folioId())
                .param("key_id", identity.keyId().orElse(null), Types.CHAR)
                .param("guard", identity.guard())
                .query(Passing::sight);
    }

    private static Sight sight(ResultSet rows) throws SQLException {
        List<Stored> found = new ArrayList<>();
        Optional<Long> free = Optional.empty();
        while (rows.next()) {
            free = Optional.ofNullable(rows.getObject("free_fence", Long.class));
            if (rows.getString("folio_id") != null) {
                found.add(RequestTable.stored(rows, found.size()));
            }
        }
        return new Sight(found, free);
    }

    /**
     * The fence under which it was stored; empty if somebody has the lock, or had it since.
     *
     * @param decision the id under which what is granted is stored
     * @throws org.springframework.dao.DuplicateKeyException if another of the same folio or key was quicker
     * @throws dev.turno.certification.sql.CommitUnknownException if it may have been stored
     */
    Optional<Long> complete(
            Identity identity, CertificationRequest request, String decision, Proposal proposal, long seenFence) {
        Optional<Resolution> resolution = proposal.resolution();
        return sql.once(() -> sql.call("intake.complete-in-passing")
                .param("namespace", namespace)
                .param("lock", identity.lockName())
                .param("seen_fence", seenFence)
                .param("service", terms.service())
                .param("user_name", terms.user())
                .param("folio_id", identity.folioId())
                .param("key_id", identity.keyId().orElse(null), Types.CHAR)
                .param("guard", identity.guard())
                .param("decision_id", decision)
                .param("fingerprint", identity.fingerprint())
                .param("folio", request.folioTramiteProcesar())
                .param("afore", request.claveAdminActual())
                .param("benefit", request.tipoPrestacion())
                .param("nss", request.nss())
                .param("resolved_on", resolution.map(Resolution::day).orElse(null), Types.DATE)
                .param("amount", resolution.map(Resolution::amount).orElse(null), Types.NUMERIC)
                .param("inbox", inbox.orElse(null), Types.VARCHAR)
                .param("answer", Wire.write(proposal.answer()))
                .query(Long.class)
                .optional());
    }
}
