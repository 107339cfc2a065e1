package dev.turno.proof;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.turno.Turno;
import dev.turno.TurnoOptions;
import dev.turno.TurnoOptions.SchemaMode;
import dev.turno.claim.Result;
import dev.turno.inbox.NewMessage;
import dev.turno.inbox.PutOutcome;
import dev.turno.sql.SchemaException;
import dev.turno.testkit.database.FreshDatabase;
import dev.turno.testkit.database.OnEveryDatabase;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Locale;
import java.util.stream.IntStream;
import javax.sql.DataSource;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What a node finds when it starts: other people's messages, too few rights, somebody else's tables. */
@Tag("processes")
@OnEveryDatabase
class StartUpTest {

    private static final TurnoOptions OPTIONS = TurnoOptions.defaults().withLease(Stage.LEASE);

    private final FreshDatabase database;
    private final DataSource source;

    StartUpTest(FreshDatabase database) {
        this.database = database;
        this.source = database.dataSource();
    }

    @Test
    void messages_of_an_inbox_that_a_node_has_no_handler_for_are_left_alone() throws Exception {
        try (Turno a = Turno.start(source, OPTIONS.withNode("a"));
                Turno b = Turno.start(source, OPTIONS.withNode("b"))) {
            b.inbox("invoices").putAll(messages(20));
            a.inbox("orders").putAll(messages(20));
            a.handle("orders", (message, turn) -> Result.done());
            await().atMost(Stage.SOON).until(() -> a.inbox("orders").counts().done() == 20);
            Thread.sleep(Stage.POLL.multipliedBy(2).toMillis());

            assertThat(ask("select count(*) from turno_inbox where state = 'PENDING' and attempt = 0 and fence = 0"
                            + " and holder is null"))
                    .isEqualTo("20");
            b.handle("invoices", (message, turn) -> Result.done());
            await().atMost(Stage.SOON).until(() -> b.inbox("invoices").counts().done() == 20);
            assertThat(a.counters().count("turno.taken")).isEqualTo(20);
        }
    }

    @Test
    void without_the_right_to_create_tables_it_says_which_statement_to_run_and_then_starts() throws Exception {
        try (Limited limited = Limited.on(database)) {
            assertThatThrownBy(() -> Turno.start(limited.source(), OPTIONS))
                    .isInstanceOf(SchemaException.class)
                    .hasMessageContaining("This account may not create Turno's tables")
                    .hasMessageContaining("SchemaMode.VALIDATE")
                    .hasMessageContaining("create table if not exists turno_schema (");

            runWholeScript();
            Turno.validate(source);
            limited.mayReadAndWrite();
            try (Turno turno = Turno.start(limited.source(), OPTIONS.withSchema(SchemaMode.VALIDATE))) {
                turno.inbox("orders").put("one", "{}");
                turno.handle("orders", (message, turn) -> Result.done());
                await().atMost(Stage.SOON)
                        .until(() -> turno.inbox("orders").counts().done() == 1);
            }
            Figures.say(
                    "rights", database.kind(), "refused with the statement to run, then started without that right");
        }
    }

    @Test
    void tables_of_a_newer_version_are_not_touched() throws SQLException {
        Turno.open(source, OPTIONS).close();
        execute("insert into turno_schema (version, applied_by) values (99, 'the future')");

        for (SchemaMode mode : List.of(SchemaMode.MIGRATE, SchemaMode.VALIDATE)) {
            assertThatThrownBy(() -> Turno.start(source, OPTIONS.withSchema(mode)))
                    .isInstanceOf(SchemaException.class)
                    .hasMessageContaining("has version 99 of Turno's tables")
                    .hasMessageContaining("start with at least that newer version");
        }
        assertThat(ask("select max(version) from turno_schema")).isEqualTo("99");
    }

    @Test
    void validating_an_empty_database_says_which_script_to_run_and_creates_nothing() throws SQLException {
        assertThatThrownBy(() -> Turno.start(source, OPTIONS.withSchema(SchemaMode.VALIDATE)))
                .isInstanceOf(SchemaException.class)
                .hasMessageContaining("has version 0 of Turno's tables")
                .hasMessageContaining("dev/turno/sql/" + dialect() + "/schema.sql")
                .hasMessageContaining("SchemaMode.MIGRATE");
        assertThatThrownBy(() -> Turno.validate(source))
                .isInstanceOf(SchemaException.class)
                .hasMessageContaining("has version 0 of Turno's tables");

        assertThatThrownBy(() -> ask("select count(*) from turno_schema")).isInstanceOf(SQLException.class);
        assertThatThrownBy(() -> ask("select count(*) from turno_inbox")).isInstanceOf(SQLException.class);
    }

    @Test
    void somebodys_table_with_the_name_of_turnos_view_is_left_alone_and_in_nobodys_way() throws SQLException {
        execute("create table TB_NSAR_BLOQUEO_DISTRIBUIDO (CH_LLAVE_BLOQUEO varchar(100))");
        execute("insert into TB_NSAR_BLOQUEO_DISTRIBUIDO values ('theirs')");

        try (Turno turno = Turno.start(source, OPTIONS)) {
            assertThat(turno.inbox("orders").put("one", "{}")).isEqualTo(new PutOutcome.Stored());
        }

        assertThat(ask("select CH_LLAVE_BLOQUEO from TB_NSAR_BLOQUEO_DISTRIBUIDO"))
                .isEqualTo("theirs");
    }

    private static List<NewMessage> messages(int count) {
        return IntStream.range(0, count)
                .mapToObj(n -> NewMessage.of("m" + n, "{}"))
                .toList();
    }

    private String dialect() {
        return database.kind().name().toLowerCase(Locale.ROOT);
    }

    private void runWholeScript() throws SQLException {
        String bare = Turno.schemaScript(dialect()).replaceAll("--[^\n]*", "");
        for (String statement : bare.split(";", -1)) {
            if (!statement.isBlank()) {
                execute(statement);
            }
        }
    }

    private void execute(String sql) throws SQLException {
        try (Connection connection = source.getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    private String ask(String query) throws SQLException {
        try (Connection connection = source.getConnection();
                Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(query)) {
            row.next();
            return String.valueOf(row.getString(1));
        }
    }
}
