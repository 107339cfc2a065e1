package dev.turno.harvester.rules;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class ExpressionTest {

    private final Fields article = new Fields()
            .add("dc.type", "article")
            .add("dc.type", "info:eu-repo/semantics/article")
            .add("dc.title", "It's a title")
            .add("dc.rights", "open");

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "dc.type == 'article' | true",
                "dc.type=='book' | false",
                "dc.type =% 'info:.*' | true",
                "dc.type =% 'info' | false",
                "NOT dc.type == 'book' | true",
                "not not dc.type == 'article' | true",
                "dc.type == 'book' OR dc.rights == 'open' | true",
                "dc.type == 'article' AND dc.rights == 'closed' | false",
                "dc.type == 'book' AND dc.type == 'x' OR dc.rights == 'open' | true",
                "dc.type == 'book' AND (dc.type == 'x' OR dc.rights == 'open') | false",
                "NOT (dc.type == 'book' OR dc.rights == 'closed') AND dc.title == 'It''s a title' | true",
                "dc.title == \"It's a title\" | true",
                "dc.missing == 'x' | false",
                "NOT dc.missing =% '.*' | true",
            })
    void an_expression_says_what_holds(String text, boolean holds) {
        assertThat(Expression.parse(text).holds(article)).isEqualTo(holds);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "dc.type = 'x' | 8 | == or =% was expected",
                "dc.type == x | 11 | A text in quotes was expected",
                "dc.type == 'x | 11 | This quote is not closed",
                "(dc.type == 'x' | 0 | This '(' has no ')'",
                "dc.type == 'x') | 14 | A ')' without its '('",
                "dc.type == 'x' dc.y == 'z' | 15 | AND, OR or the end was expected",
                "(dc.type == 'x' dc.y == 'z') | 16 | AND, OR or ')' was expected",
                "dc.type =% '(' | 11 | The regular expression cannot be read",
                "AND dc.type == 'x' | 4 | == or =% was expected",
                "== 'x' | 0 | A field such as dc.type was expected",
            })
    void a_broken_expression_says_where_it_breaks(String text, int position, String why) {
        assertThatThrownBy(() -> Expression.parse(text))
                .isInstanceOf(ExpressionException.class)
                .hasMessageContaining(why)
                .hasMessageContaining("at character " + (position + 1))
                .hasMessageContaining("\n  " + text + "\n  " + " ".repeat(position) + "^")
                .extracting(e -> ((ExpressionException) e).position())
                .isEqualTo(position);
    }

    @Test
    void an_expression_of_a_thousand_levels_is_refused_instead_of_using_up_the_stack() {
        String deep = "(".repeat(1_000) + "dc.type == 'x'" + ")".repeat(1_000);

        assertThatThrownBy(() -> Expression.parse(deep)).hasMessageContaining("More than 100 levels");
        assertThatThrownBy(() -> Expression.parse("NOT ".repeat(1_000) + "dc.type == 'x'"))
                .hasMessageContaining("More than 100 levels");
    }
}
