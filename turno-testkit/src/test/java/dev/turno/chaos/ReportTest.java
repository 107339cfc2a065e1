package dev.turno.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class ReportTest {

    private static final String PAGE = """
            | database | items |
            |---|---|
            | H2, `--seconds 600 --seed 1` | 100 |
            | PostgreSQL, `--seconds 600 --seed 1` | 200 |

            | database | left out | found |
            |---|---|---|
            | PostgreSQL | no fence check | 3 |
            | PostgreSQL | no burst freeze | 4 |

            The end.
            """;

    @Test
    void what_was_run_again_replaces_its_row_and_the_others_stay() {
        List<String> older = Report.rows(PAGE, "| database | items |", "| ");

        assertThat(Report.merged(older, List.of("| PostgreSQL, `--seconds 60 --seed 2` | 7 |\n")))
                .containsExactly(
                        "| H2, `--seconds 600 --seed 1` | 100 |\n", "| PostgreSQL, `--seconds 60 --seed 2` | 7 |\n");
    }

    @Test
    void of_broken_builds_each_rule_has_a_row_of_its_own() {
        List<String> older = Report.rows(PAGE, "| database | left out |", "| ");

        assertThat(Report.merged(older, List.of("| PostgreSQL | no fence check | 5 |\n")))
                .containsExactly("| PostgreSQL | no burst freeze | 4 |\n", "| PostgreSQL | no fence check | 5 |\n");
    }

    @Test
    void another_command_on_the_same_database_has_another_row() {
        assertThat(Report.merged(
                        Report.rows(PAGE, "| database | items |", "| "),
                        List.of("| H2, `--seconds 600 --rate 100 --seed 1` | 9 |\n")))
                .hasSize(3);
    }
}
