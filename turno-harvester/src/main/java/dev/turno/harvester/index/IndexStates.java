package dev.turno.harvester.index;

import dev.turno.harvester.sql.Sql;
import java.time.Instant;
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

    /** The database's clock, which all instances share. */
    Instant now() {
        return sql.call("now")
                .query((row, n) -> sql.moment(row, "now_at").orElseThrow())
                .single();
    }

    public Optional<State> of(long network, IndexKind kind) {
        return sql.call("state")
                .param("network", network)
                .param("target", kind.name())
                .query((row, n) -> new State(row.getLong("snapshot_id"), row.getString("fingerprint")))
                .optional();
    }

    /** False, and nothing is kept, if the index holds a newer snapshot: whoever says so comes late. */
    boolean keep(long network, IndexKind kind, State state) {
        if (kept("renew", network, kind, state)) {
            return true;
        }
        // To add a second row is refused: of two who find none, one fails and is run again.
        return of(network, kind).isEmpty() && kept("keep", network, kind, state);
    }

    private boolean kept(String statement, long network, IndexKind kind, State state) {
        return sql.call(statement)
                        .param("network", network)
                        .param("target", kind.name())
                        .param("snapshot", state.snapshot())
                        .param("fingerprint", state.fingerprint())
                        .update()
                == 1;
    }

    void forget(long network, IndexKind kind) {
        sql.call("forget")
                .param("network", network)
                .param("target", kind.name())
                .update();
    }
}
