package dev.turno.server.cli;

import dev.turno.Turno;
import dev.turno.TurnoOptions.SchemaMode;
import dev.turno.server.webhook.Webhooks;
import dev.turno.web.sql.Dialect;
import dev.turno.web.tables.WebTables;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.BadSqlGrammarException;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.jdbc.datasource.DriverManagerDataSource;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import tools.jackson.databind.json.JsonMapper;

@Command(name = "schema", mixinStandardHelpOptions = true, description = "The tables.")
final class SchemaCommand extends Noun {

    private static final Pattern TABLE = Pattern.compile("(?i)create table if not exists (\\w+)");
    private static final String NAMESPACE = "default"; // tables are the same for all of them
    private static final String JSON = "Prints the answer as JSON.";

    @Command(description = "Prints the script that creates them.", mixinStandardHelpOptions = true)
    void print(
            @Parameters(
                            paramLabel = "DATABASE",
                            description = "postgresql, mariadb or h2.",
                            defaultValue = "postgresql")
                    String database,
            @Option(names = "--json", description = JSON) boolean json) {
        String script = script(Dialect.named(database));
        tell(json, Map.of("database", database, "script", script), script);
    }

    static String script(Dialect dialect) {
        return String.join(
                "\n",
                Turno.schemaScript(dialect.folder()),
                WebTables.script(dialect),
                Webhooks.script(dialect),
                dev.turno.certification.sql.Sql.script(dialect),
                dev.turno.harvester.sql.Sql.script(dialect));
    }

    @Command(
            description = "Says whether a database has the tables that this version needs. Exit code 1 if it has not.",
            mixinStandardHelpOptions = true)
    int validate(
            @Option(names = "--db", required = true, description = "Its JDBC URL.") String url,
            @Option(names = "--db-user", description = "Its account.") @Nullable String user,
            @Option(names = "--db-password", description = "TURNO_DB_PASSWORD is better.") @Nullable String password,
            @Option(names = "--json", description = JSON) boolean json) {
        DriverManagerDataSource source = new DriverManagerDataSource(url);
        source.setUsername(user);
        source.setPassword(password != null ? password : System.getenv("TURNO_DB_PASSWORD"));
        Turno.validate(source);
        Dialect dialect = Dialect.of(source);
        List<String> missing = missing(JdbcClient.create(source), script(dialect));
        if (missing.isEmpty()) {
            // A table of an older version has the right name: the server looks for the columns too, and would not
            // start.
            WebTables.open(source, NAMESPACE, SchemaMode.VALIDATE);
        }
        tell(
                json,
                Map.of("valid", missing.isEmpty(), "missing", missing),
                missing.isEmpty()
                        ? "The tables are those that this version needs."
                        : "Missing: " + missing + ". Run the script that 'turno schema print " + dialect.folder()
                                + "' shows, or start the server with turno.schema.mode=migrate.");
        return missing.isEmpty() ? 0 : 1;
    }

    private static List<String> missing(JdbcClient jdbc, String script) {
        return TABLE.matcher(script)
                .results()
                .map(found -> found.group(1))
                .filter(table -> !isThere(jdbc, table))
                .toList();
    }

    private static boolean isThere(JdbcClient jdbc, String table) {
        try {
            return jdbc.sql("select count(*) from " + table + " where 1 = 0")
                            .query(Long.class)
                            .single()
                    == 0;
        } catch (BadSqlGrammarException e) {
            return false;
        }
    }

    private static void tell(boolean json, Map<String, ?> answer, String text) {
        System.out.println(json ? JsonMapper.shared().writeValueAsString(answer) : text);
    }
}
