package dev.turno.sql;

import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * What a statement does to an H2, as far as its first words tell; whatever is not known to do less is taken to end a transaction.
 *
 * @param onlyReads it leaves no trace
 * @param commits it ends the transaction that it is in, as whatever changes tables does
 * @param neverWaits it does not want to wait for rows that others have
 */
record H2Sql(boolean onlyReads, boolean commits, boolean neverWaits) {

    /** A statement that gets its text later, or a batch of several. */
    static final H2Sql ANYTHING = new H2Sql(false, true, false);

    private static final Pattern BEFORE_IT = Pattern.compile("^(?:\\s|\\(|--[^\\n]*\\n|/\\*.*?\\*/)+", Pattern.DOTALL);
    private static final Pattern FIRST_WORD = Pattern.compile("^[a-z]+");
    private static final Set<String> READS = Set.of("select", "with", "values", "table", "show", "explain");
    private static final Set<String> WRITES =
            Set.of("insert", "update", "delete", "merge", "call", "savepoint", "release");

    /** A query that changes something: rows, locks, or how far a sequence has come. */
    private static final Pattern WRITES_TOO = Pattern.compile(
            "\\bfor\\s+(update|share|no\\s+key|key)\\b|\\b(final|old|new)\\s+table\\b|\\bnext\\s+value\\b|\\bnextval\\b|\\banalyze\\b");

    private static final Pattern NEVER_WAITS = Pattern.compile("\\bnowait\\b");

    static H2Sql of(String text) {
        String sql = BEFORE_IT.matcher(text.toLowerCase(Locale.ROOT)).replaceFirst("");
        var word = FIRST_WORD.matcher(sql);
        String first = word.find() ? word.group() : "";
        boolean onlyReads = READS.contains(first) && !WRITES_TOO.matcher(sql).find();
        boolean commits = !READS.contains(first) && !WRITES.contains(first);
        return new H2Sql(onlyReads, commits, NEVER_WAITS.matcher(sql).find());
    }
}
