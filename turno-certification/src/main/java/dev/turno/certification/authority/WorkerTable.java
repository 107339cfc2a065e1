package dev.turno.certification.authority;

import dev.turno.certification.authority.CertificationAuthority.Resolution;
import dev.turno.certification.sql.Sql;
import dev.turno.certification.wire.CertificationRequest;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Types;
import java.time.LocalDate;
import java.util.List;
import java.util.Optional;
import org.springframework.jdbc.core.namedparam.MapSqlParameterSource;
import org.springframework.jdbc.core.namedparam.SqlParameterSource;

/** The statements of {@code authority.sql}. Shared by threads. */
final class WorkerTable {

    /** A worker, and when the same benefit was last resolved. */
    record Seen(Worker worker, Optional<LocalDate> resolvedOn) {}

    private static final int AT_ONCE = 1_000;

    private final Sql sql;

    WorkerTable(Sql sql) {
        this.sql = sql;
    }

    Optional<Seen> find(String nss, String benefit) {
        return sql.call("authority.worker")
                .param("nss", nss)
                .param("benefit", benefit)
                .query((row, number) -> new Seen(worker(row), day(row, "resolved_on")))
                .optional();
    }

    private static Worker worker(ResultSet row) throws SQLException {
        return new Worker(
                row.getString("nss"),
                row.getString("curp"),
                row.getString("given_names"),
                row.getString("surname"),
                row.getString("second_surname"),
                row.getObject("opened_on", LocalDate.class),
                row.getInt("weeks"),
                day(row, "left_on"),
                day(row, "married_on"),
                row.getBigDecimal("last_wage"),
                row.getBigDecimal("mean_wage"),
                row.getBigDecimal("balance"),
                row.getString("delegation"),
                row.getString("subdelegation"),
                row.getString("clinic"));
    }

    private static Optional<LocalDate> day(ResultSet row, String column) throws SQLException {
        return Optional.ofNullable(row.getObject(column, LocalDate.class));
    }

    void resolve(String decision, CertificationRequest request, Resolution resolution) {
        int unused = sql.call("authority.resolve")
                .param("decision_id", decision)
                .param("nss", request.nss())
                .param("benefit", request.tipoPrestacion())
                .param("resolved_on", resolution.day())
                .param("amount", resolution.amount())
                .update();
    }

    boolean isEmpty() {
        return sql.call("authority.workers").query(Long.class).single() == 0;
    }

    /** All or none. One who is there already stays, or is written again as before. */
    void addAll(List<Worker> workers) {
        int unused = sql.transaction(connection -> {
            for (int from = 0; from < workers.size(); from += AT_ONCE) {
                List<Worker> some = workers.subList(from, Math.min(workers.size(), from + AT_ONCE));
                sql.batch(
                        "authority.add-worker",
                        some.stream().map(WorkerTable::columns).toList());
            }
            return workers.size();
        });
    }

    private static SqlParameterSource columns(Worker worker) {
        return new MapSqlParameterSource()
                .addValue("nss", worker.nss())
                .addValue("curp", worker.curp())
                .addValue("given_names", worker.givenNames())
                .addValue("surname", worker.surname())
                .addValue("second_surname", worker.secondSurname())
                .addValue("opened_on", worker.openedOn())
                .addValue("weeks", worker.weeks())
                .addValue("left_on", worker.leftOn().orElse(null), Types.DATE)
                .addValue("married_on", worker.marriedOn().orElse(null), Types.DATE)
                .addValue("last_wage", worker.lastWage())
                .addValue("mean_wage", worker.meanWage())
                .addValue("balance", worker.balance())
                .addValue("delegation", worker.delegation())
                .addValue("subdelegation", worker.subdelegation())
                .addValue("clinic", worker.clinic());
    }
}
