package dev.turno.harvester.sql;

import static org.assertj.core.api.Assertions.assertThat;

import dev.turno.testkit.database.FreshDatabase;
import dev.turno.testkit.database.OnDatabase;
import dev.turno.testkit.database.TestDatabase;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.springframework.jdbc.core.simple.JdbcClient;

/** A server may have another engine as its default, such as Aria, in which nothing commits together. */
@OnDatabase(TestDatabase.MARIADB)
class MariaDbTablesTest {

    private static final Path FILES = Path.of("src/main/resources/dev/turno/harvester/sql/mariadb");

    @Test
    void they_are_created_so(FreshDatabase database) {
        for (String feature : List.of("network", "rules", "index", "entity", "bitstream")) {
            new Sql(database.dataSource(), feature).createTables();
        }

        assertThat(JdbcClient.create(database.dataSource())
                        .sql("select concat(engine, ' ', table_collation) from information_schema.tables"
                                + " where table_schema = database()")
                        .query(String.class)
                        .list())
                .hasSize(16)
                .containsOnly("InnoDB utf8mb4_nopad_bin");
    }

    @Test
    void every_table_names_its_engine_and_a_collation_in_which_spaces_count() throws IOException {
        List<String> tables = new ArrayList<>();
        try (Stream<Path> files = Files.list(FILES)) {
            for (Path file : files.toList()) {
                Stream.of(Files.readString(file).replaceAll("--[^\\n]*", "").split(";", -1))
                        .map(String::strip)
                        .filter(statement -> statement.startsWith("create table"))
                        .forEach(tables::add);
            }
        }

        assertThat(tables)
                .isNotEmpty()
                .allMatch(table -> table.endsWith(") engine = InnoDB character set utf8mb4 collate utf8mb4_nopad_bin"));
    }
}
