package dev.turno.sql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class StatementsTest {

    private static final List<String> FEATURES =
            List.of("holder", "lane", "inbox", "lock", "buffer", "task", "run", "action");
    private static final List<String> DIALECTS = List.of("postgresql", "h2", "mariadb");

    @Test
    void parameters_are_found_and_casts_literals_and_comments_are_left_alone() {
        Statements.Parsed parsed = Statements.parse(
                "x", "select ':no', a::text -- :neither\n from t where b = :b and c = :c_1 and d = :b;");

        assertThat(parsed.parameters()).containsExactly("b", "c_1", "b");
        assertThat(parsed.text())
                .contains("':no'")
                .contains("a::text")
                .doesNotContain("neither")
                .endsWith("d = ?");
    }

    @Test
    void the_dialects_have_the_same_acts() {
        Set<String> postgresql = acts("postgresql");

        assertThat(acts("h2")).isEqualTo(postgresql);
        assertThat(acts("mariadb")).isEqualTo(postgresql);
    }

    /** An act may be one statement here and several there: {@code take}, or {@code take-find} and {@code take-mark}. */
    private static Set<String> acts(String folder) {
        Set<String> acts = new TreeSet<>();
        for (String name : Statements.load(folder, FEATURES, "{now}").names()) {
            acts.add(name.replaceFirst("-(find|mark|classes|may)$", "")
                    .replaceFirst("^inbox\\.put-(taken|all-new)$", "inbox.put")
                    .replaceFirst("^lock\\.take-known$", "lock.take")
                    .replaceFirst("^inbox\\.done(-gone)?-commit$", "inbox.done")
                    .replaceFirst("^lane\\.(find|add|advance)$", "lane.draw")
                    .replaceFirst("^buffer\\.(add)-(lock|key|known|ids|lag|turn|messages|answer)$", "buffer.$1")
                    .replaceFirst("^buffer\\.(taken|done-sent|done-alive)$", "buffer.done"));
        }
        return acts;
    }

    @Test
    void every_statement_on_rows_of_an_inbox_names_the_inbox_or_the_rows() {
        for (String folder : DIALECTS) {
            Statements statements = Statements.load(folder, List.of("inbox"), "{now}");
            for (String name : statements.names()) {
                assertThat(statements.get(name).parameters())
                        .as("%s of %s", name, folder)
                        .containsAnyOf("inbox", "scope", "row", "ids", "v_id", "v", "namespace", "lane", "holders");
            }
        }
    }

    /** What decides: the statement of this name, or what finds and locks the rows for those that follow it, or else what marks them. */
    private static String deciding(String folder, String act) {
        Statements statements = Statements.load(folder, FEATURES, "{now}");
        String name = Stream.of(act, act + "-find", act + "-mark")
                .filter(statements.names()::contains)
                .findFirst()
                .orElseThrow(
                        () -> new AssertionError(folder + " has no '" + act + "' any more: name it here as it is"));
        return statements.get(name).text();
    }

    @Test
    void every_write_of_a_verdict_presents_the_fence_and_the_state() {
        for (String folder : DIALECTS) {
            for (String act : List.of("done", "done-gone", "again", "dead", "give-back", "renew")) {
                assertThat(deciding(folder, "inbox." + act))
                        .as("%s of %s", act, folder)
                        .containsPattern("t\\.fence = (v\\.fence|\\?)")
                        .contains("state = 'DOING'");
            }
        }
    }

    @Test
    void every_finish_that_commits_too_presents_the_fence_and_the_state() {
        for (String act : List.of("done-commit", "done-gone-commit")) {
            assertThat(deciding("postgresql", "inbox." + act))
                    .as(act)
                    .containsPattern("t\\.fence = (v\\.fence|\\?)")
                    .contains("state = 'DOING'");
        }
    }

    @Test
    void every_write_of_a_runs_holder_presents_the_fence_and_the_state() {
        for (String folder : DIALECTS) {
            Statements statements = Statements.load(folder, List.of("run"), "{now}");
            for (String name : List.of("run.end", "run.again", "run.give-back", "run.checkpoint", "run.renew")) {
                assertThat(statements.get(name).text())
                        .as("%s of %s", name, folder)
                        .contains("t.id = ? and t.fence = ? and t.scope_id = ? and t.state = 'DOING'");
            }
        }
    }

    @Test
    void every_statement_on_runs_names_the_scope_or_the_rows() {
        for (String folder : DIALECTS) {
            Statements statements = Statements.load(folder, List.of("run"), "{now}");
            for (String name : statements.names()) {
                assertThat(statements.get(name).parameters())
                        .as("%s of %s", name, folder)
                        .containsAnyOf("scope", "run", "ids", "namespace", "lane", "holders");
            }
        }
    }

    @Test
    void every_write_of_a_verdict_on_a_burst_presents_the_fence_and_the_state() {
        for (String folder : DIALECTS) {
            for (String act : List.of("done", "again", "dead", "give-back")) {
                assertThat(deciding(folder, "buffer." + act))
                        .as("%s of %s", act, folder)
                        .containsPattern("t\\.fence = (v\\.fence|\\(select max\\(v\\.fence)")
                        .contains("state = 'DOING'");
            }
        }
    }

    @Test
    void every_write_of_a_tasks_verdict_and_every_arming_presents_the_fence_and_the_state() {
        for (String folder : DIALECTS) {
            for (String act : List.of("done", "done-gone", "again", "dead", "give-back", "renew", "arm")) {
                assertThat(deciding(folder, "task." + act))
                        .as("%s of %s", act, folder)
                        .containsPattern("t\\.fence = (v\\.fence|\\?)")
                        .contains(act.equals("arm") ? "t.state = 'ASSIGNED'" : "t.state = 'DOING'");
            }
        }
    }

    @Test
    void semicolons_inside_of_a_compound_statement_belong_to_it() {
        assertThat(Statements.parse("x", "begin not atomic\n select 1;\n select :b;\nend;")
                        .before())
                .isZero();
        assertThat(Statements.parse("x", "select 1;\nselect 2;").before()).isEqualTo(1);
    }

    @Test
    void every_write_to_a_lock_that_is_held_presents_its_fence_and_lease() {
        for (String folder : DIALECTS) {
            for (String act : List.of("guard", "unguarded", "release", "renew")) {
                assertThat(deciding(folder, "lock." + act))
                        .as("%s of %s", act, folder)
                        .containsPattern("fence = (v\\.fence|\\?)")
                        .containsPattern("lease_id = (v\\.lease_id|\\?)");
            }
        }
    }

    @Test
    void a_missing_statement_is_named() {
        Statements statements = Statements.load("h2", FEATURES, "{now}");

        assertThatThrownBy(() -> statements.require("inbox.take-find", "inbox.dance"))
                .hasMessageContaining("inbox.dance");
    }

    @Test
    void the_published_script_records_its_version() {
        assertThat(Schema.script("postgresql"))
                .contains("create table if not exists turno_inbox")
                .containsPattern("turno_schema \\(version, applied_by\\) values \\(\\d+, 'script'\\);\\s*$");
    }
}
