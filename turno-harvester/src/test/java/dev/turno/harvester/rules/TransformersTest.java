package dev.turno.harvester.rules;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

final class TransformersTest {

    private static Judgement judged(String type, Map<String, Object> settings, String... fieldsAndValues) {
        RuleSet set = new RuleSet("test", Purpose.TRANSFORMATION, "", List.of(Rule.of("r", type, settings)));
        return Pipeline.transforming(set).judge(Drafts.of(fieldsAndValues));
    }

    private static Map<String, List<String>> after(String type, Map<String, Object> settings, String... values) {
        return judged(type, settings, values).fields().copy();
    }

    private static Map<String, Object> table(String... fromTo) {
        Map<String, Object> table = new LinkedHashMap<>();
        for (int i = 0; i < fromTo.length; i += 2) {
            table.put(fromTo[i], fromTo[i + 1]);
        }
        return table;
    }

    @Test
    void add_writes_a_value_once() {
        Map<String, Object> add = Map.of("field", "dc.x", "value", "new");

        assertThat(after("add", add, "dc.x", "old")).isEqualTo(Map.of("dc.x", List.of("old", "new")));
        assertThat(after("add", add, "dc.x", "new")).isEqualTo(Map.of("dc.x", List.of("new")));
        assertThat(after("add", Map.of("field", "dc.x", "value", "new", "onlyIfMissing", true), "dc.x", "old"))
                .isEqualTo(Map.of("dc.x", List.of("old")));
    }

    @Test
    void add_when_looks_at_a_condition() {
        Map<String, Object> rule = Map.of("field", "dc.rights", "value", "open", "expression", "dc.x == 'yes'");

        assertThat(after("add-when", rule, "dc.x", "yes")).containsEntry("dc.rights", List.of("open"));
        assertThat(after("add-when", rule, "dc.x", "no")).doesNotContainKey("dc.rights");
    }

    @Test
    void translate_replaces_in_place_or_writes_elsewhere() {
        Map<String, Object> inPlace = Map.of("field", "dc.x", "table", table("en", "eng"));
        Map<String, Object> beside = Map.of("field", "dc.x", "table", table("en", "eng"), "replace", false);
        Map<String, Object> elsewhere = Map.of("field", "dc.x", "to", "dc.y", "table", table("en", "eng"));

        assertThat(after("translate", inPlace, "dc.x", "fr", "dc.x", "en"))
                .isEqualTo(Map.of("dc.x", List.of("fr", "eng")));
        assertThat(after("translate", beside, "dc.x", "en")).isEqualTo(Map.of("dc.x", List.of("en", "eng")));
        assertThat(after("translate", elsewhere, "dc.x", "fr", "dc.x", "en"))
                .isEqualTo(Map.of("dc.x", List.of("fr"), "dc.y", List.of("eng")));
    }

    @Test
    void translate_by_prefix_takes_the_longest_that_fits() {
        Map<String, Object> rule = Map.of(
                "field",
                "dc.x",
                "prefix",
                true,
                "table",
                table("http://a/", "A", "http://a/b", "B", "http://a/zz", "Z"));

        assertThat(after("translate", rule, "dc.x", "http://a/bcd")).isEqualTo(Map.of("dc.x", List.of("B")));
        assertThat(after("translate", rule, "dc.x", "http://a/x")).isEqualTo(Map.of("dc.x", List.of("A")));
        assertThat(after("translate", rule, "dc.x", "ftp://a")).isEqualTo(Map.of("dc.x", List.of("ftp://a")));
    }

    @Test
    void translate_by_priority_writes_only_the_first_line_that_fits() {
        Map<String, Object> rule = Map.of(
                "field", "dc.type", "to", "dc.kind", "table", table("thesis", "T", "article", "A"), "replace", false);

        assertThat(after("translate-by-priority", rule, "dc.type", "article", "dc.type", "thesis"))
                .containsEntry("dc.kind", List.of("T"))
                .containsEntry("dc.type", List.of("article", "thesis"));
    }

    @Test
    void regex_translate_replaces_what_matches() {
        Map<String, Object> rule =
                Map.of("field", "dc.x", "pattern", "^doi:\\s*(10\\..*)$", "replacement", "https://doi.org/$1");

        assertThat(after("regex-translate", rule, "dc.x", "doi: 10.1/2", "dc.x", "other"))
                .isEqualTo(Map.of("dc.x", List.of("https://doi.org/10.1/2", "other")));
        assertThatThrownBy(() -> after(
                        "regex-translate", Map.of("field", "dc.x", "pattern", "a", "replacement", "$1"), "dc.x", "a"))
                .hasMessageContaining("The replacement '$1' does not fit 'a'");
    }

    @Test
    void normalise_removes_what_a_validator_does_not_like() {
        Map<String, Object> validator = Map.of("type", "controlled", "values", List.of("spa", "eng"));
        Map<String, Object> rule = Map.of("field", "dc.language", "validator", validator);
        Map<String, Object> keeping = Map.of("field", "dc.language", "validator", validator, "removeInvalid", false);

        assertThat(after("normalise", rule, "dc.language", "spa", "dc.language", "xx", "dc.language", "spa"))
                .isEqualTo(Map.of("dc.language", List.of("spa")));
        assertThat(after("normalise", keeping, "dc.language", "xx", "dc.language", "spa", "dc.language", "spa"))
                .isEqualTo(Map.of("dc.language", List.of("xx", "spa")));
    }

    @Test
    void trim_knows_all_blanks() {
        assertThat(after("trim", Map.of("field", "dc.x"), "dc.x", " \u00a0a \n\t b\u2003 "))
                .isEqualTo(Map.of("dc.x", List.of("a b")));
    }

    @Test
    void rename_moves_values_behind_those_that_are_there() {
        assertThat(after("rename", Map.of("field", "dc.a", "to", "dc.b"), "dc.a", "1", "dc.b", "0", "dc.a", "2"))
                .isEqualTo(Map.of("dc.b", List.of("0", "1", "2")));
    }

    @Test
    void rename_in_bulk_moves_many_fields() {
        assertThat(after("rename-bulk", Map.of("table", table("a.x", "dc.x", "a.y", "dc.y")), "a.x", "1", "a.y", "2"))
                .isEqualTo(Map.of("dc.x", List.of("1"), "dc.y", List.of("2")));
    }

    @Test
    void rename_when_moves_only_what_matches() {
        Map<String, Object> matching = Map.of("field", "dc.a", "to", "dc.b", "pattern", "10\\..*");
        Map<String, Object> conditional = Map.of("field", "dc.a", "to", "dc.b", "expression", "dc.type == 'x'");

        assertThat(after("rename-when", matching, "dc.a", "10.1/2", "dc.a", "other"))
                .isEqualTo(Map.of("dc.a", List.of("other"), "dc.b", List.of("10.1/2")));
        assertThat(after("rename-when", conditional, "dc.a", "1", "dc.type", "y"))
                .containsKey("dc.a");
        assertThat(after("rename-when", conditional, "dc.a", "1", "dc.type", "x"))
                .containsKey("dc.b");
    }

    @Test
    void identifier_regex_writes_a_part_of_the_identifier() {
        Map<String, Object> rule =
                Map.of("field", "dc.identifier", "pattern", "^oai:[^:]+:(.*)$", "replacement", "hdl:$1");

        assertThat(after("identifier-regex", rule)).isEqualTo(Map.of("dc.identifier", List.of("hdl:handle/10")));
    }

    @Test
    void remove_empty_looks_at_one_field_or_at_all() {
        assertThat(after("remove-empty", Map.of("field", "dc.x"), "dc.x", " \u00a0", "dc.y", " "))
                .isEqualTo(Map.of("dc.y", List.of(" ")));
        assertThat(after("remove-empty", Map.of(), "dc.x", "", "dc.y", " ", "dc.z", "z"))
                .isEqualTo(Map.of("dc.z", List.of("z")));
    }

    @Test
    void remove_duplicates_keeps_the_first() {
        assertThat(after("remove-duplicates", Map.of("field", "dc.x"), "dc.x", "b", "dc.x", "a", "dc.x", "b"))
                .isEqualTo(Map.of("dc.x", List.of("b", "a")));
    }

    @Test
    void remove_prefixed_duplicates_keeps_one_of_the_two() {
        List<String> prefixes = List.of("info:eu-repo/semantics/");
        String[] values = {"dc.type", "article", "dc.type", "info:eu-repo/semantics/article", "dc.type", "book"};

        assertThat(after("remove-prefixed-duplicates", Map.of("field", "dc.type", "prefixes", prefixes), values))
                .isEqualTo(Map.of("dc.type", List.of("info:eu-repo/semantics/article", "book")));
        assertThat(after(
                        "remove-prefixed-duplicates",
                        Map.of("field", "dc.type", "prefixes", prefixes, "keepPrefixed", false),
                        values))
                .isEqualTo(Map.of("dc.type", List.of("article", "book")));
    }

    @Test
    void remove_blacklisted_removes_values_of_a_list() {
        assertThat(after(
                        "remove-blacklisted",
                        Map.of("field", "dc.x", "values", List.of("n/a")),
                        "dc.x",
                        "n/a",
                        "dc.x",
                        "a"))
                .isEqualTo(Map.of("dc.x", List.of("a")));
    }

    @Test
    void keep_first_removes_the_rest() {
        assertThat(after("keep-first", Map.of("field", "dc.x"), "dc.x", "1", "dc.x", "2"))
                .isEqualTo(Map.of("dc.x", List.of("1")));
    }

    @Test
    void add_repository_name_writes_network_and_institution() {
        assertThat(after("add-repository-name", Map.of("field", "dc.source")))
                .isEqualTo(Map.of("dc.source", List.of("reponame:The Network", "instname:The Institution")));
    }

    @Test
    void add_provenance_writes_where_the_record_was() {
        assertThat(after("add-provenance", Map.of()))
                .containsEntry("provenance.identifier", List.of("oai:example.org:handle/10"))
                .containsEntry("provenance.network", List.of("A:B*"))
                .containsEntry("provenance.datestamp", List.of("2026-01-02T03:04:05Z"))
                .containsEntry("provenance.url", List.of("https://example.org/oai"));
    }

    @Test
    void reduce_cuts_only_records_that_are_too_large() {
        Map<String, Object> rule =
                Map.of("mostCharacters", 10, "mostValues", 1, "longestValue", 4, "spare", List.of("dc.title"));

        assertThat(after("reduce", rule, "dc.x", "12345", "dc.x", "6")).containsEntry("dc.x", List.of("12345", "6"));
        assertThat(after("reduce", rule, "dc.x", "123😀56789", "dc.x", "6", "dc.title", "long enough"))
                .isEqualTo(Map.of("dc.x", List.of("123"), "dc.title", List.of("long enough")));
    }

    @Test
    void a_record_that_no_rule_touched_is_not_changed() {
        assertThat(judged("trim", Map.of("field", "dc.x"), "dc.x", "clean").changed())
                .isFalse();
        assertThat(judged("trim", Map.of("field", "dc.x"), "dc.x", " dirty").changed())
                .isTrue();
    }

    @Test
    void every_transformer_may_run_twice_without_doing_more() {
        Map<String, Map<String, Object>> rules = Map.of(
                "add", Map.of("field", "dc.x", "value", "new"),
                "translate", Map.of("field", "dc.x", "to", "dc.y", "table", table("a", "b"), "replace", false),
                "add-provenance", Map.of(),
                "add-repository-name", Map.of("field", "dc.source"),
                "rename", Map.of("field", "dc.x", "to", "dc.z"));
        rules.forEach((type, settings) -> {
            Rule once = Rule.of("once", type, settings);
            RuleSet twice =
                    new RuleSet("test", Purpose.TRANSFORMATION, "", List.of(once, Rule.of("again", type, settings)));

            assertThat(Pipeline.transforming(twice)
                            .judge(Drafts.of("dc.x", "a"))
                            .fields()
                            .copy())
                    .as(type)
                    .isEqualTo(after(type, settings, "dc.x", "a"));
        });
    }
}
