package dev.turno.harvester.rules;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class ValidatorsTest {

    private static final Clock IN_2026 = Clock.fixed(Instant.parse("2026-07-01T00:00:00Z"), ZoneOffset.UTC);

    private static Judgement judge(Rule rule, UrlStates urls, Fields fields) {
        RuleSet set = new RuleSet("test", Purpose.VALIDATION, "", List.of(rule));
        return Pipeline.of(Optional.empty(), List.of(), Optional.of(set), urls, IN_2026)
                .judge(new Draft("oai:x:1", Drafts.ORIGIN, fields));
    }

    private static boolean isValid(String type, Map<String, Object> settings, String... values) {
        Fields fields = new Fields();
        for (String value : values) {
            fields.add("dc.x", value);
        }
        return judge(Rule.of("r", type, settings), UrlStates.unknown(), fields).valid();
    }

    @ParameterizedTest
    @CsvSource({
        "ZERO_ONLY, 0, 1, true", "ZERO_ONLY, 1, 0, false", "ONE_ONLY, 1, 2, true", "ONE_ONLY, 2, 0, false",
        "ONE_ONLY, 0, 1, false", "ZERO_OR_MORE, 0, 3, true", "ONE_OR_MORE, 0, 1, false", "ONE_OR_MORE, 1, 1, true",
        "ALL, 2, 0, true", "ALL, 2, 1, false", "ALL, 0, 0, true",
    })
    void a_quantifier_counts_good_and_bad_values(Quantifier quantifier, int good, int bad, boolean valid) {
        Rule rule = Rule.of("r", "controlled", Map.of("field", "dc.x", "values", List.of("good")))
                .with(quantifier);
        Fields fields = new Fields();
        IntStream.range(0, good).forEach(i -> fields.add("dc.x", "good"));
        IntStream.range(0, bad).forEach(i -> fields.add("dc.x", "bad"));

        Judgement judgement = judge(rule, UrlStates.unknown(), fields);

        assertThat(judgement.valid()).isEqualTo(valid);
        assertThat(judgement.findings().get(0).good()).hasSize(good);
        assertThat(judgement.findings().get(0).bad()).hasSize(bad);
    }

    @Test
    void a_rule_that_is_not_mandatory_is_counted_but_does_not_turn_a_record_away() {
        Rule rule = Rule.of("r", "occurrences", Map.of("field", "dc.x")).optional();

        Judgement judgement = judge(rule, UrlStates.unknown(), new Fields());

        assertThat(judgement.valid()).isTrue();
        assertThat(judgement.findings().get(0).holds()).isFalse();
    }

    @Test
    void a_controlled_value_is_one_of_a_list_with_or_without_case() {
        Map<String, Object> strict = Map.of("field", "dc.x", "values", List.of("Article"));
        Map<String, Object> lax = Map.of("field", "dc.x", "values", List.of("Article"), "ignoreCase", true);

        assertThat(isValid("controlled", strict, "Article")).isTrue();
        assertThat(isValid("controlled", strict, "article")).isFalse();
        assertThat(isValid("controlled", lax, "aRTICLE")).isTrue();
    }

    @Test
    void a_large_list_may_have_hundreds_of_thousands_of_values() {
        List<String> many =
                IntStream.range(0, 200_000).mapToObj(i -> "value-" + i).toList();

        assertThat(isValid("controlled-list", Map.of("field", "dc.x", "values", many), "value-199999"))
                .isTrue();
        assertThat(isValid("controlled-list", Map.of("field", "dc.x", "values", many), "value-200000"))
                .isFalse();
        assertThatThrownBy(() -> isValid("controlled", Map.of("field", "dc.x", "values", many), "x"))
                .hasMessageContaining("use 'controlled-list'");
    }

    @Test
    void a_regular_expression_matches_the_whole_value() {
        Map<String, Object> year = Map.of("field", "dc.x", "pattern", "[0-9]{4}");

        assertThat(isValid("regex", year, "2020")).isTrue();
        assertThat(isValid("regex", year, "in 2020")).isFalse();
    }

    @Test
    void a_regular_expression_that_would_never_end_gives_up() {
        Map<String, Object> evil = Map.of("field", "dc.x", "pattern", "(a+)+b");
        long start = System.nanoTime();

        assertThat(isValid("regex", evil, "a".repeat(50))).isFalse();
        assertThat(isValid("regex", Map.of("field", "dc.x", "pattern", "(a|b)*c"), "ab".repeat(40_000)))
                .isFalse();

        // Without a limit it would take years.
        assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(Duration.ofSeconds(30));
    }

    @Test
    void the_length_counts_characters_as_people_do() {
        Map<String, Object> three = Map.of("field", "dc.x", "least", 3, "most", 3);

        assertThat(isValid("length", three, "abc")).isTrue();
        assertThat(isValid("length", three, "ab")).isFalse();
        assertThat(isValid("length", three, "abcd")).isFalse();
        assertThat(isValid("length", three, "😀😀😀")).isTrue();
    }

    @ParameterizedTest
    @CsvSource({
        "2026, true",
        "2016, true",
        "2015, false",
        "2027, true",
        "2028, false",
        "2020-05-01, true",
        "no year, false",
        "12345678, false",
        "May 2019, true",
    })
    void a_year_lies_around_the_year_we_have(String value, boolean valid) {
        assertThat(isValid("year", Map.of("field", "dc.x", "before", 10, "after", 1), value))
                .isEqualTo(valid);
    }

    @Test
    void an_expression_judges_the_record_as_a_whole() {
        Map<String, Object> settings = Map.of("expression", "dc.x == 'a' AND NOT dc.x == 'b'");

        assertThat(isValid("expression", settings, "a")).isTrue();
        assertThat(isValid("expression", settings, "a", "b")).isFalse();
    }

    @Test
    void occurrences_are_counted() {
        Map<String, Object> two = Map.of("field", "dc.x", "least", 1, "most", 2);

        assertThat(isValid("occurrences", two)).isFalse();
        assertThat(isValid("occurrences", two, "a", "b")).isTrue();
        assertThat(isValid("occurrences", two, "a", "b", "c")).isFalse();
    }

    @Test
    void a_url_is_judged_by_what_was_found_out_before_and_passes_until_then() {
        Rule rule = Rule.of("r", "url-exists", Map.of("field", "dc.x")).with(Quantifier.ALL);
        UrlStates known = url -> url.endsWith("gone") ? UrlStates.UrlState.MISSING : UrlStates.UrlState.UNKNOWN;

        assertThat(judge(rule, known, new Fields().add("dc.x", "https://example.org/here"))
                        .valid())
                .isTrue();
        assertThat(judge(rule, known, new Fields().add("dc.x", "https://example.org/gone"))
                        .valid())
                .isFalse();
        assertThat(judge(rule, known, new Fields().add("dc.x", "hdl:1/2")).valid())
                .isFalse();
    }

    @Test
    void a_setting_that_cannot_be_used_is_named() {
        assertThatThrownBy(() -> isValid("regex", Map.of("field", "dc.x")))
                .isInstanceOf(RuleException.class)
                .hasMessageContaining("Setting 'pattern' of rule 'r' (regex) is missing");
        assertThatThrownBy(() -> isValid("regex", Map.of("field", "dc.x", "pattern", "(")))
                .hasMessageContaining("cannot be read as a regular expression");
        assertThatThrownBy(() -> isValid("regex", Map.of("field", "dc x", "pattern", ".*")))
                .hasMessageContaining("not the name of a field");
        assertThatThrownBy(() -> isValid("length", Map.of("field", "dc.x", "least", "three")))
                .hasMessageContaining("not a whole number");
        assertThatThrownBy(() -> isValid("length", Map.of("field", "dc.x", "atLeast", 3)))
                .hasMessageContaining("'atLeast'")
                .hasMessageContaining("[field, least, most]");
        assertThatThrownBy(() -> isValid("trim", Map.of("field", "dc.x")))
                .hasMessageContaining("there is no such validator");
    }
}
