package dev.turno.harvester.rules;

import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A regular expression that gives up. Java's own may need years for a text of forty characters, and a harvest meets every text
 * there is; so each character that is looked at counts, and after too many the text does not match. Shared by threads.
 */
final class Regex {

    static final int MOST_STEPS = 200_000;
    private static final int LONGEST = 10_000;

    // Who repeats nothing, as in (){999999999}, looks at no character, and no step is counted.
    private static final Pattern REPEATED_TOO_OFTEN = Pattern.compile("(?<!\\\\)\\{(?:[0-9]+,)?[0-9]{6}");

    private final Pattern pattern;

    private Regex(Pattern pattern) {
        this.pattern = pattern;
    }

    static Regex of(String text) {
        if (text.length() > LONGEST) {
            throw new RuleException(
                    "The regular expression has " + text.length() + " characters; at most " + LONGEST + ".");
        }
        if (REPEATED_TOO_OFTEN.matcher(text).find()) {
            throw new RuleException("The regular expression '" + text + "' repeats something more than 99,999 times.");
        }
        try {
            return new Regex(Pattern.compile(text));
        } catch (StackOverflowError e) {
            throw new RuleException("The regular expression has too many groups inside of each other.", e);
        }
    }

    /** True if the whole text matches. */
    boolean matches(String text) {
        try {
            return pattern.matcher(new Counted(text)).matches();
        } catch (TooManySteps | StackOverflowError e) {
            return false;
        }
    }

    /** The text with every match replaced; empty if there is none. */
    Optional<String> replace(String text, String replacement) {
        try {
            Matcher matcher = pattern.matcher(new Counted(text));
            return matcher.find() ? Optional.of(matcher.replaceAll(replacement)) : Optional.empty();
        } catch (TooManySteps | StackOverflowError e) {
            return Optional.empty();
        }
    }

    /** Refuses a replacement that names a group which is not there; otherwise the first match would find out. */
    void requireReplacement(String replacement) {
        // Nothing, or the pattern: with parentheses around it, a comment or a quotation at its end would swallow one of
        // them.
        Matcher always = Pattern.compile("|" + pattern.pattern()).matcher("");
        try {
            if (always.find()) {
                always.appendReplacement(new StringBuilder(), replacement);
            }
        } catch (IllegalArgumentException | IndexOutOfBoundsException e) {
            throw new RuleException(
                    "The replacement '" + replacement + "' does not fit '" + pattern + "': " + e.getMessage(), e);
        }
    }

    @Override
    public String toString() {
        return pattern.pattern();
    }

    private static final class TooManySteps extends RuntimeException {
        TooManySteps() {
            super("too many steps", null, false, false);
        }
    }

    private static final class Counted implements CharSequence {

        private final String text;
        private int steps;

        Counted(String text) {
            this.text = text;
        }

        @Override
        public char charAt(int index) {
            if (++steps > MOST_STEPS) {
                throw new TooManySteps();
            }
            return text.charAt(index);
        }

        @Override
        public int length() {
            return text.length();
        }

        @Override
        public CharSequence subSequence(int start, int end) {
            return text.substring(start, end);
        }

        @Override
        public String toString() {
            return text;
        }
    }
}
