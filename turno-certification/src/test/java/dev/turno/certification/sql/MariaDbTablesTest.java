package dev.turno.certification.sql;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** A server may have another engine as its default, such as Aria, in which nothing commits together. */
class MariaDbTablesTest {

    private static final Path FILES = Path.of("src/main/resources/dev/turno/certification/sql/mariadb");

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
