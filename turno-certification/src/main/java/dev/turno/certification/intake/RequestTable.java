package dev.turno.certification.intake;

import dev.turno.certification.sql.Sql;
import dev.turno.certification.wire.Answer;
import dev.turno.certification.wire.CertificationRequest;
import dev.turno.certification.wire.Wire;
import dev.turno.claim.ClaimLostException;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Types;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.springframework.dao.DuplicateKeyException;
import org.springframework.jdbc.core.simple.JdbcClient;

/** The statements of {@code intake.sql}. Shared by threads. */
final class RequestTable {

    /** A request that was begun. */
    record Stored(
            String folioId,
            Optional<String> keyId,
            String fingerprint,
            RequestState state,
            long fence,
            Optional<String> openGuard,
            String folio,
            String afore,
            Optional<Answer> answer) {

        boolean isNamedBy(Identity identity) {
            return folioId.equals(identity.folioId()) || (keyId.isPresent() && keyId.equals(identity.keyId()));
        }

        boolean isOpen() {
            return state == RequestState.IN_PROGRESS || state == RequestState.AMBIGUOUS;
        }
    }

    private static final int PRUNED_AT_ONCE = 1_000;

    private final Sql sql;

    RequestTable(Sql sql) {
        this.sql = sql;
    }

    /** Those that the folio or the key names. */
    List<Stored> look(Identity identity) {
        return named("intake.look", identity).query(RequestTable::stored).list();
    }

    /** Under the lock: also what keeps the worker's turn. */
    List<Stored> lookInside(Identity identity) {
        return named("intake.look-inside", identity)
                .param("guard", identity.guard())
                .query(RequestTable::stored)
                .list();
    }

    Optional<Stored> find(String folioId) {
        return sql.call("intake.find")
                .param("folio_id", folioId)
                .query(RequestTable::stored)
                .optional();
    }

    private JdbcClient.StatementSpec named(String statement, Identity identity) {
        return sql.call(statement)
                .param("folio_id", identity.folioId())
                .param("key_id", identity.keyId().orElse(null), Types.CHAR);
    }

    static Stored stored(ResultSet row, int number) throws SQLException {
        return new Stored(
                row.getString("folio_id"),
                Optional.ofNullable(row.getString("key_id")),
                row.getString("fingerprint"),
                RequestState.valueOf(row.getString("state")),
                row.getLong("fence"),
                Optional.ofNullable(row.getString("open_guard")),
                row.getString("folio"),
                row.getString("afore"),
                Optional.ofNullable(row.getString("answer")).flatMap(Wire::readAnswer));
    }

    /** @throws DuplicateKeyException if another of the same folio or key was quicker, or one of the same worker is open */
    void completeAtOnce(Identity identity, CertificationRequest request, long fence, Answer answer) {
        int added = begun("intake.complete-at-once", identity, request, fence)
                .param("guard", identity.guard())
                .param("answer", Wire.write(answer))
                .update();
        if (added != 1) {
            throw new DuplicateKeyException("A request that this one has to give way to was there first.");
        }
    }

    /** @throws DuplicateKeyException if another of the same folio or key was quicker */
    void send(Identity identity, CertificationRequest request, long fence) {
        int unused = begun("intake.send", identity, request, fence)
                .param("guard", identity.guard())
                .update();
    }

    private JdbcClient.StatementSpec begun(
            String statement, Identity identity, CertificationRequest request, long fence) {
        return named(statement, identity)
                .param("fingerprint", identity.fingerprint())
                .param("fence", fence)
                .param("folio", request.folioTramiteProcesar())
                .param("afore", request.claveAdminActual())
                .param("benefit", request.tipoPrestacion());
    }

    void sendAgain(Identity identity, long fence) {
        requireOne(sql.call("intake.send-again")
                .param("folio_id", identity.folioId())
                .param("fence", fence)
                .param("guard", identity.guard())
                .update());
    }

    void completeAgain(Identity identity, long fence, Answer answer) {
        requireOne(sql.call("intake.complete-again")
                .param("folio_id", identity.folioId())
                .param("fence", fence)
                .param("answer", Wire.write(answer))
                .update());
    }

    /** @param seenFence the fence under which it was written last */
    void complete(String folioId, long seenFence, long fence, Answer answer) {
        requireOne(ended("intake.complete", folioId, seenFence, fence)
                .param("answer", Wire.write(answer))
                .update());
    }

    void doubt(String folioId, long seenFence, long fence) {
        requireOne(ended("intake.doubt", folioId, seenFence, fence).update());
    }

    void free(String folioId, long seenFence, long fence) {
        requireOne(ended("intake.free", folioId, seenFence, fence).update());
    }

    private JdbcClient.StatementSpec ended(String statement, String folioId, long seenFence, long fence) {
        return sql.call(statement)
                .param("folio_id", folioId)
                .param("seen_fence", seenFence)
                .param("fence", fence);
    }

    private static void requireOne(int changed) {
        if (changed != 1) {
            throw new ClaimLostException("A request was taken over by another instance while this one worked on it."
                    + " Nothing of this transaction was stored; whoever took it over goes on.");
        }
    }

    /** Removes a batch of those that ended long ago; true if there may be more. */
    boolean prune(Duration keep) {
        return sql.call("intake.prune")
                        .param("seconds", keep.toSeconds())
                        .param("limit", PRUNED_AT_ONCE)
                        .update()
                == PRUNED_AT_ONCE;
    }
}
