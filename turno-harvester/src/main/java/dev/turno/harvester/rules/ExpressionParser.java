package dev.turno.harvester.rules;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.PatternSyntaxException;

/**
 * Reads expressions by descent: {@code or := and (OR and)*}, {@code and := not (AND not)*}, {@code not := NOT not | '(' or ')' |
 * field (== | =%) text}. One per text.
 */
final class ExpressionParser {

    static final int LONGEST = 20_000;
    private static final int DEEPEST = 100;

    private final String text;
    private int at;
    private int depth;

    ExpressionParser(String text) {
        this.text = text;
    }

    Expression parse() {
        if (text.length() > LONGEST) {
            throw new RuleException(
                    "The expression has " + text.length() + " characters; at most " + LONGEST + ". Use several rules.");
        }
        Expression expression = or();
        skipBlanks();
        if (at < text.length()) {
            throw wrong(at, text.charAt(at) == ')' ? "A ')' without its '('" : "AND, OR or the end was expected");
        }
        return expression;
    }

    private Expression or() {
        deeper();
        List<Expression> all = new ArrayList<>(List.of(and()));
        while (takeWord("OR")) {
            all.add(and());
        }
        depth--;
        return all.size() == 1 ? all.get(0) : new Expression.Or(List.copyOf(all));
    }

    private Expression and() {
        List<Expression> all = new ArrayList<>(List.of(not()));
        while (takeWord("AND")) {
            all.add(not());
        }
        return all.size() == 1 ? all.get(0) : new Expression.And(List.copyOf(all));
    }

    private Expression not() {
        if (takeWord("NOT")) {
            deeper();
            Expression inner = not();
            depth--;
            return new Expression.Not(inner);
        }
        skipBlanks();
        if (at < text.length() && text.charAt(at) == '(') {
            return inParentheses();
        }
        return comparison();
    }

    private Expression inParentheses() {
        int open = at++;
        Expression inner = or();
        skipBlanks();
        if (at >= text.length() || text.charAt(at) != ')') {
            throw at >= text.length() ? wrong(open, "This '(' has no ')'") : wrong(at, "AND, OR or ')' was expected");
        }
        at++;
        return inner;
    }

    private Expression comparison() {
        int start = at;
        String field = word();
        if (!Fields.isName(field)) {
            throw wrong(start, "A field such as dc.type was expected");
        }
        skipBlanks();
        boolean regex = text.startsWith("=%", at);
        if (!regex && !text.startsWith("==", at)) {
            throw wrong(at, "== or =% was expected");
        }
        at += 2;
        skipBlanks();
        int textAt = at;
        String value = quoted();
        return regex ? new Expression.Matches(field, regexAt(textAt, value)) : new Expression.Equal(field, value);
    }

    private Regex regexAt(int position, String value) {
        try {
            return Regex.of(value);
        } catch (PatternSyntaxException e) {
            throw wrong(position, "The regular expression cannot be read (" + e.getDescription() + ")");
        }
    }

    /** A quote stands for itself when it is written twice. */
    private String quoted() {
        char quote = at < text.length() ? text.charAt(at) : ' ';
        if (quote != '\'' && quote != '"') {
            throw wrong(at, "A text in quotes was expected");
        }
        int start = at++;
        StringBuilder value = new StringBuilder();
        while (at < text.length()) {
            char c = text.charAt(at++);
            boolean doubled = c == quote && at < text.length() && text.charAt(at) == quote;
            if (c == quote && !doubled) {
                return value.toString();
            }
            at += doubled ? 1 : 0;
            value.append(c);
        }
        throw wrong(start, "This quote is not closed");
    }

    private boolean takeWord(String keyword) {
        skipBlanks();
        int start = at;
        if (word().toUpperCase(Locale.ROOT).equals(keyword)) {
            return true;
        }
        at = start;
        return false;
    }

    private String word() {
        skipBlanks();
        int start = at;
        while (at < text.length() && isOfWord(text.charAt(at))) {
            at++;
        }
        return text.substring(start, at);
    }

    private static boolean isOfWord(char c) {
        return Character.isLetterOrDigit(c) || c == '.' || c == '_' || c == ':' || c == '-';
    }

    private void skipBlanks() {
        while (at < text.length() && Character.isWhitespace(text.charAt(at))) {
            at++;
        }
    }

    private void deeper() {
        if (++depth > DEEPEST) {
            throw wrong(at, "More than " + DEEPEST + " levels");
        }
    }

    private ExpressionException wrong(int position, String why) {
        return new ExpressionException(text, Math.min(position, text.length()), why);
    }
}
