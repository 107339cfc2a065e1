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
