package dev.turno.harvester.index;

import java.util.StringJoiner;

/**
 * The numbers below another one, as a regular expression of Lucene and Solr. Snapshots stand in the indexes as text, where 10 comes
 * before 9, and in the schema of others' frontends.
 */
final class Below {

    private Below() {}

    /** @param number at least 1 */
    static String of(long number) {
        if (number < 1) {
            throw new IllegalArgumentException("Snapshots have numbers from 1; there is none below " + number + ".");
        }
        String digits = Long.toString(number);
        int length = digits.length();
        StringJoiner any = new StringJoiner("|");
        if (length > 1) {
            any.add("[0-9]{1," + (length - 1) + "}");
        }
        for (int i = 0; i < length; i++) {
            if (digits.charAt(i) > '0') {
                any.add(digits.substring(0, i) + "[0-" + (char) (digits.charAt(i) - 1) + "]"
                        + "[0-9]".repeat(length - i - 1));
            }
        }
        return any.toString();
    }
}
