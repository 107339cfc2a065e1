package dev.turno.harvester.rules;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

final class RuleJsonTest {

    private final RuleJson json = new RuleJson();

    @Test
    void a_set_that_was_exported_is_imported_as_it_was_with_its_tables_in_order() {
        Map<String, Object> table = new LinkedHashMap<>();
        table.put("z", "1");
        table.put("a", "2");
        table.put("m", "3");
        RuleSet set = new RuleSet(
                "mine",
                Purpose.TRANSFORMATION,
                "for \"people\"",
                List.of(
                        Rule.of("t", "translate-by-priority", Map.of("field", "dc.x", "table", table)),
                        Rule.of(
                                "n",
                                "normalise",
                                Map.of("field", "dc.x", "validator", Map.of("type", "length", "most", 3)))));

        RuleSet back = json.read(json.write(set));

        assertThat(back).isEqualTo(set);
        assertThat(json.write(back)).isEqualTo(json.write(set)).containsSubsequence("\"z\"", "\"a\"", "\"m\"");
    }

    @Test
    void a_set_is_cloned_under_another_name() {
        RuleSet set = new RuleSet(
                "one", Purpose.VALIDATION, "", List.of(Rule.of("o", "occurrences", Map.of("field", "dc.x"))));

        assertThat(set.cloneAs("two").name()).isEqualTo("two");
        assertThat(set.cloneAs("two").rules()).isEqualTo(set.rules());
    }

    @Test
    void what_cannot_work_is_refused_at_import() {
        assertThatThrownBy(() -> json.read("[]")).hasMessageContaining("a JSON object");
        assertThatThrownBy(() -> json.read("{")).hasMessageContaining("cannot be read as JSON");
        assertThatThrownBy(() -> json.read("{\"name\":\"x\",\"purpose\":\"SORTING\"}"))
                .hasMessageContaining("one of [VALIDATION, TRANSFORMATION]");
        assertThatThrownBy(
                        () -> json.read(rule("\"type\":\"regex\",\"settings\":{\"field\":\"dc.x\",\"pattern\":\"(\"}")))
                .hasMessageContaining("Setting 'pattern' of rule 'r' (regex)");
        assertThatThrownBy(() -> json.read(rule("\"type\":\"regex\",\"quantifier\":\"SOME\"")))
                .hasMessageContaining("rules[0].quantifier");
        assertThatThrownBy(() -> json.read(rule("\"type\":\"regex\",\"settings\":{\"field\":null}")))
                .hasMessageContaining("null");
    }

    private static String rule(String parts) {
        return "{\"name\":\"x\",\"purpose\":\"VALIDATION\",\"rules\":[{\"name\":\"r\"," + parts + "}]}";
    }

    @Test
    void two_rules_of_one_name_are_refused() {
        Rule rule = Rule.of("same", "occurrences", Map.of("field", "dc.x"));

        assertThatThrownBy(() -> new RuleSet("x", Purpose.VALIDATION, "", List.of(rule, rule)))
                .hasMessageContaining("'same'");
    }

    @Test
    void every_kind_has_a_form() {
        String forms = json.forms();

        for (Kind kind : Kinds.all()) {
            assertThat(forms).contains("\"type\" : \"" + kind.type() + "\"");
        }
        assertThat(Kinds.all())
                .filteredOn(kind -> kind.purpose() == Purpose.VALIDATION)
                .hasSize(8);
        assertThat(Kinds.all())
                .filteredOn(kind -> kind.purpose() == Purpose.TRANSFORMATION)
                .hasSize(19);
    }
}
