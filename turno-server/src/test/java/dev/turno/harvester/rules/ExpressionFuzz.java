package dev.turno.harvester.rules;

import static dev.turno.fuzz.Property.holds;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.stream.Collectors;

/** An expression of a rule, and in a second line a value of dc.title: refused with its place, or meaning the same when written again. */
public final class ExpressionFuzz {

    private ExpressionFuzz() {}

    public static void fuzzerTestOneInput(byte[] input) {
        String text = new String(input, StandardCharsets.UTF_8);
        int line = text.indexOf('\n');
        String value = line < 0 ? "article" : text.substring(line + 1);
        Expression expression;
        try {
            expression = Expression.parse(line < 0 ? text : text.substring(0, line));
        } catch (ExpressionException refused) {
            holds(refused.position() >= 0 && refused.position() <= text.length(), "a refusal has a place in the text");
            return;
        } catch (RuleException tooLong) {
            return;
        }
        Fields fields =
                new Fields().add("dc.title", value).add("dc.type", "article").add("dc.type", "");
        boolean holds = expression.holds(fields);
        String written = written(expression);
        holds(written(Expression.parse(written)).equals(written), "what is written is read as the same");
        holds(Expression.parse(written).holds(fields) == holds, "and means the same");
        holds(Expression.parse("NOT (" + written + ")").holds(fields) != holds, "and its opposite means the opposite");
    }

    private static String written(Expression expression) {
        if (expression instanceof Expression.And and) {
            return joined(and.all(), " AND ");
        } else if (expression instanceof Expression.Or or) {
            return joined(or.all(), " OR ");
        } else if (expression instanceof Expression.Not not) {
            return "NOT " + written(not.inner());
        } else if (expression instanceof Expression.Equal equal) {
            return equal.field() + " == '" + equal.value().replace("'", "''") + "'";
        }
        Expression.Matches matches = (Expression.Matches) expression;
        return matches.field() + " =% '" + matches.regex().toString().replace("'", "''") + "'";
    }

    private static String joined(List<Expression> all, String by) {
        return all.stream().map(ExpressionFuzz::written).collect(Collectors.joining(by, "(", ")"));
    }
}
