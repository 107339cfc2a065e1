package dev.turno.server.cli;

import dev.turno.TurnoOptions.SchemaMode;
import dev.turno.harvester.sql.Sql;
import dev.turno.sql.Database;
import dev.turno.sql.Schema;
import dev.turno.time.Time;
import dev.turno.web.tables.WebTables;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.datasource.DriverManagerDataSource;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(name = "schema", mixinStandardHelpOptions = true, description = "The tables.")
final class SchemaCommand extends Noun {

    @Command(description = "Prints the script that creates them.", mixinStandardHelpOptions = true)
    void print(
            @Parameters(
                            paramLabel = "DATABASE",
                            description = "postgresql, mariadb or h2.",
                            defaultValue = "postgresql")
                    String dialect) {
        String web = WebTables.script(dialect); // first: it knows how to refuse a name
        System.out.println(Schema.script(dialect) + "\n" + web + "\n" + Sql.script(dialect));
    }

    @Command(
            description = "Says whether a database has the tables that this version needs.",
            mixinStandardHelpOptions = true)
    void validate(
            @Option(names = "--db", required = true, description = "Its JDBC URL.") String url,
            @Option(names = "--db-user") @Nullable String user,
            @Option(names = "--db-password", description = "TURNO_DB_PASSWORD is better.") @Nullable String password) {
        DriverManagerDataSource source = new DriverManagerDataSource(url);
        source.setUsername(user);
        source.setPassword(password != null ? password : System.getenv("TURNO_DB_PASSWORD"));
        new Schema(Database.open(source, Time.ofDatabase(), Duration.ofSeconds(10))).validate();
        WebTables unused = WebTables.open(source, "default", SchemaMode.VALIDATE);
        System.out.println("The tables are those that this version needs.");
    }
}
