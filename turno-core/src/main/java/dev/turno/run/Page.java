package dev.turno.run;

import java.util.List;

/** Some items, and the cursor from which a source goes on after them. */
public record Page<I>(List<I> items, String cursor) {

    static final int LONGEST_CURSOR = 4_000;

    public Page {
        items = List.copyOf(items);
        if (cursor.length() > LONGEST_CURSOR || cursor.indexOf('\0') >= 0) {
            throw new IllegalArgumentException("A cursor has at most " + LONGEST_CURSOR
                    + " characters and no NUL; this one has " + cursor.length() + ".");
        }
    }
}
