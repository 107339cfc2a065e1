package dev.turno.certification.authority;

import dev.turno.certification.sql.Sql;
import java.math.BigDecimal;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Types;
import java.time.LocalDate;
import java.util.List;
import java.util.Optional;

/** The statements of {@code authority.sql}. Shared by threads. */
final class WorkerTable {

    /** A worker, and when the same benefit was last resolved. */
    record Seen(Worker worker, Optional<LocalDate> resolvedOn) {}

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

    void resolve(String id, String nss, String benefit, LocalDate today, BigDecimal amount) {
        int unused = sql.call("authority.resolve")
                .param("folio_id", id)
                .param("nss", nss)
                .param("benefit", benefit)
                .param("resolved_on", today)
                .param("amount", amount)
                .update();
    }

    boolean isEmpty() {
        return sql.call("authority.workers").query(Long.class).single() == 0;
    }

    /** All or none. One who is there already stays, or is written again as before. */
    void addAll(List<Worker> workers) {
        int unused = sql.transaction(connection -> {
            workers.forEach(this::add);
            return workers.size();
        });
    }

    private void add(Worker worker) {
        int unused = sql.call("authority.add-worker")
                .param("nss", worker.nss())
                .param("curp", worker.curp())
                .param("given_names", worker.givenNames())
                .param("surname", worker.surname())
                .param("second_surname", worker.secondSurname())
                .param("opened_on", worker.openedOn())
                .param("weeks", worker.weeks())
                .param("left_on", worker.leftOn().orElse(null), Types.DATE)
                .param("married_on", worker.marriedOn().orElse(null), Types.DATE)
                .param("last_wage", worker.lastWage())
                .param("mean_wage", worker.meanWage())
                .param("balance", worker.balance())
                .param("delegation", worker.delegation())
                .param("subdelegation", worker.subdelegation())
                .param("clinic", worker.clinic())
                .update();
    }
}
