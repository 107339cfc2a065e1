package dev.turno.server.reference;

import dev.turno.server.cli.Main;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;

/** Every table, as the command line prints them. */
final class SchemaPage {

    private SchemaPage() {}

    static String drawn() {
        ByteArrayOutputStream printed = new ByteArrayOutputStream();
        PrintStream before = System.out;
        System.setOut(new PrintStream(printed, true, StandardCharsets.UTF_8));
        try {
            Main.commandLine().execute("schema", "print", "postgresql");
        } finally {
            System.setOut(before);
        }
        return """
                # Tables

                On PostgreSQL; `./turno schema print mariadb` and `h2` print the others, and `./turno schema validate` looks whether a database has them.
                Turno creates and upgrades them itself, unless `turno.schema.mode` says otherwise. What the states mean, and who may change
                them, is in [states](../states.md); reading the tables is fine, writing to them is not.

                ```sql
                %s
                ```
                """.formatted(printed.toString(StandardCharsets.UTF_8).strip());
    }
}
