package dev.turno.server.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.turno.testkit.database.FreshDatabase;
import dev.turno.testkit.database.TestDatabase;
import dev.turno.web.sql.Dialect;
import dev.turno.web.sql.SqlFile;
import java.io.PrintWriter;
import java.io.StringWriter;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.springframework.jdbc.core.simple.JdbcClient;
import picocli.CommandLine;

class SchemaCommandTest {

    private final FreshDatabase database = TestDatabase.H2.fresh();
    private final StringWriter errors = new StringWriter();

    @AfterEach
    void close() {
        database.close();
    }

    private int validate() {
        CommandLine line = Main.commandLine();
        line.setErr(new PrintWriter(errors, true));
        return line.execute(
                "schema",
                "validate",
                "--db",
                database.url(),
                "--db-user",
                database.user(),
                "--db-password",
                database.password());
    }

    @Test
    void tables_that_the_server_would_refuse_for_a_missing_column_are_not_called_valid() {
        JdbcClient jdbc = JdbcClient.create(database.dataSource());
        SqlFile.run(jdbc, SchemaCommand.script(Dialect.H2));
        int complete = validate();

        jdbc.sql("alter table turno_token drop column parent_id").update();

        assertThat(complete).as(errors.toString()).isZero();
        assertThat(validate()).isEqualTo(1);
        assertThat(errors.toString()).contains("older than this version", "turno schema print h2");
    }
}
