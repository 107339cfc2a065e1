package dev.turno.web.tables;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.turno.TurnoOptions.SchemaMode;
import dev.turno.testkit.database.FreshDatabase;
import dev.turno.testkit.database.OnEveryDatabase;
import java.sql.Connection;
import java.sql.Statement;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.springframework.jdbc.core.simple.JdbcClient;

@OnEveryDatabase
@Timeout(30)
class WebTablesTest {

    private final DataSource source;

    WebTablesTest(FreshDatabase database) {
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

        assertThat(open(SchemaMode.VALIDATE).dialect()).isNotEmpty();
    }

    /** To change a table waits for everybody who has read it, and keeps all others waiting for that long. */
    @Test
    void a_start_beside_a_long_transaction_does_not_wait_for_it() throws Exception {
        open(SchemaMode.MIGRATE);
        try (Connection reader = source.getConnection();
                Statement statement = reader.createStatement()) {
            reader.setAutoCommit(false);
            statement.executeUpdate("update turno_token set name = name");
            statement.executeUpdate("update turno_audit set who = who");

            open(SchemaMode.MIGRATE);

            reader.rollback();
        }
    }
}
