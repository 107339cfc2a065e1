package dev.turno.harvester.index;

import dev.turno.harvester.sql.Sql;
import java.util.Optional;
import javax.sql.DataSource;

/** Which snapshot of each network an index holds. Shared by threads. */
public final class IndexStates {

    /** @param fingerprint of what its documents depend on besides the records */
    public record State(long snapshot, String fingerprint) {}

    private final Sql sql;

    public IndexStates(DataSource source) {
        this.sql = new Sql(source, "index");
    }

    public void createTables() {
        sql.createTables();
    }

    public Optional<State> of(long network, IndexKind kind) {
        return sql.call("state")
                .param("network", network)
                .param("target", kind.name())
                .query((row, n) -> new State(row.getLong("snapshot_id"), row.getString("fingerprint")))
                .optional();
    }

    void keep(long network, IndexKind kind, State state) {
        sql.transaction(connection -> {
            sql.call(connection, "forget")
                    .param("network", network)
                    .param("target", kind.name())
                    .update();
            return sql.call(connection, "keep")
                    .param("network", network)
                    .param("target", kind.name())
                    .param("snapshot", state.snapshot())
                    .param("fingerprint", state.fingerprint())
                    .update();
        });
    }

    void forget(long network, IndexKind kind) {
        sql.call("forget")
                .param("network", network)
                .param("target", kind.name())
                .update();
    }
}
