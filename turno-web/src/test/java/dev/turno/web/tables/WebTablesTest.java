package dev.turno.web.tables;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.turno.TurnoOptions.SchemaMode;
import dev.turno.testkit.database.FreshDatabase;
import dev.turno.testkit.database.OnEveryDatabase;
import dev.turno.testkit.database.TestDatabase;
import java.sql.Connection;
import java.sql.DatabaseMetaData;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Timestamp;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.springframework.jdbc.core.simple.JdbcClient;

@OnEveryDatabase
@Timeout(120)
class WebTablesTest {

    private final TestDatabase kind;
    private final DataSource source;

    WebTablesTest(FreshDatabase database) {
        this.kind = database.kind();
        this.source = database.dataSource();
    }

    private WebTables open(SchemaMode mode) {
        return WebTables.open(source, "default", mode);
    }

    @Test
    void what_is_missing_is_told_and_made() {
        assertThatThrownBy(() -> open(SchemaMode.VALIDATE)).hasMessageContaining("turno schema print");
        open(SchemaMode.MIGRATE);
        open(SchemaMode.VALIDATE);
        JdbcClient.create(source)
                .sql("alter table turno_token drop column parent_id")
                .update();
        assertThatThrownBy(() -> open(SchemaMode.VALIDATE)).hasMessageContaining("older than this version");

        open(SchemaMode.MIGRATE);

        assertThat(open(SchemaMode.VALIDATE).dialect().name()).isEqualTo(kind.name());
    }

    /** The script would wait for everybody who has read the tables, and keep all others waiting for that long. */
    @Test
    void a_start_on_complete_tables_does_not_run_the_script() throws SQLException {
        open(SchemaMode.MIGRATE);
        JdbcClient.create(source)
                .sql("drop index turno_audit_newest" + (kind == TestDatabase.MARIADB ? " on turno_audit" : ""))
                .update();

        open(SchemaMode.MIGRATE);

        assertThat(has("turno_audit_newest")).isFalse();
    }

    @Test
    void what_is_old_is_removed_a_few_at_a_time_and_what_is_young_stays() {
        WebTables tables = open(SchemaMode.MIGRATE);
        for (int i = 0; i < 5; i++) {
            write(i, i < 4 ? Duration.ofDays(500) : Duration.ZERO);
        }
        Map<String, Object> hour = Map.of("step", 3_600, "kept", 7_200);

        assertThat(removed(tables, "failure-prune", Map.of())).containsExactly(3, 1, 0);
        assertThat(removed(tables, "audit-prune", Map.of())).containsExactly(3, 1, 0);
        assertThat(removed(tables, "token-prune", Map.of())).containsExactly(3, 1, 0);
        assertThat(removed(tables, "history-prune", hour)).containsExactly(3, 1, 0);
    }

    @Test
    void however_much_is_old_all_of_it_is_removed_at_once() {
        WebTables tables = open(SchemaMode.MIGRATE);
        for (int i = 0; i < 1_001; i++) {
            failure(Timestamp.from(Instant.now().minus(Duration.ofDays(9))));
        }

        tables.prune("failure-prune", Map.of());

        assertThat(JdbcClient.create(source)
                        .sql("select count(*) from turno_failure")
                        .query(Integer.class)
                        .single())
                .isZero();
    }

    private static List<Integer> removed(WebTables tables, String statement, Map<String, ?> parameters) {
        return IntStream.range(0, 3)
                .map(i -> tables.sql(statement)
                        .params(parameters)
                        .param("limit", 3)
                        .update())
                .boxed()
                .toList();
    }

    private void write(int number, Duration age) {
        Instant then = Instant.now().minus(age);
        Timestamp at = Timestamp.from(then);
        failure(at);
        JdbcClient jdbc = JdbcClient.create(source);
        jdbc.sql("insert into turno_audit (namespace, begun_at, who, role, address, action)"
                        + " values ('default', :at, 'ana', 'admin', '127.0.0.1', 'looks')")
                .param("at", at)
                .update();
        jdbc.sql(
                        "insert into turno_token (namespace, name, role, afore, hash, is_session, created_at, created_by, expires_at)"
                                + " values ('default', 'ana', 'admin', '', :hash, true, :at, 'ana', :at)")
                .param("hash", Integer.toString(number).repeat(64))
                .param("at", at)
                .update();
        jdbc.sql("insert into turno_history (namespace, who, step_s, slot_s, done, again, dead, spent_ms, longest_ms)"
                        + " values ('default', :who, 3600, :slot, 1, 0, 0, 0, 0)")
                .param("who", "inbox " + number)
                .param("slot", then.getEpochSecond() / 3_600 * 3_600)
                .update();
    }

    private void failure(Timestamp at) {
        JdbcClient.create(source)
                .sql("insert into turno_failure (namespace, item, attempt, failed_at, error)"
                        + " values ('default', 'default/orders/1#1', 1, :at, 'boom')")
                .param("at", at)
                .update();
    }

    private boolean has(String index) throws SQLException {
        try (Connection connection = source.getConnection()) {
            DatabaseMetaData meta = connection.getMetaData();
            String table = meta.storesUpperCaseIdentifiers() ? "TURNO_AUDIT" : "turno_audit";
            boolean found = false;
            try (ResultSet rows = meta.getIndexInfo(null, null, table, false, true)) {
                while (rows.next()) {
                    found |= index.equalsIgnoreCase(rows.getString("INDEX_NAME"));
                }
            }
            return found;
        }
    }
}
