package dev.turno.worker;

import dev.turno.sql.StorableText;

/** What went wrong, as it is stored with a row. */
public final class ErrorText {

    private static final int LONGEST = 8_000;

    private ErrorText() {}

    /** The text, cut to what the column holds and with what not every database can store replaced. */
    public static String of(String text) {
        return StorableText.of(text, LONGEST);
    }
}
