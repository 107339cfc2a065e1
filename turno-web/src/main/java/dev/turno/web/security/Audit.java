package dev.turno.web.security;

import dev.turno.web.tables.WebTables;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Who changed what, when and why, kept for 400 days. Shared by threads. */
public final class Audit {

    private static final int LONGEST_ACTION = 500;
    private static final int LONGEST_WHY = 500;
    private static final int LONGEST_DETAILS = 1_000;
    private static final int PRUNE_EVERY = 1_000;

    /**
     * An entry.
     *
     * @param details what exactly was changed, without secrets
     * @param status of the answer; null: the change was begun and its end not seen
     */
    public record Entry(
            long id,
            Instant at,
            String who,
            Role role,
            String address,
            String action,
            @Nullable String why,
            @Nullable String details,
            @Nullable Integer status) {}

    private final WebTables tables;

    public Audit(WebTables tables) {
        this.tables = tables;
    }

    /** Says what is about to be changed; answers the number of the entry. */
    long begin(Caller caller, String address, String action, Optional<String> why) {
        long id = WebTables.insert(tables.sql("audit-add")
                .param("who", caller.name())
                .param("role", caller.role().text())
                .param("address", address)
                .param("action", cut(action, LONGEST_ACTION))
                .param("why", line(why, LONGEST_WHY)));
        if (id % PRUNE_EVERY == 0) {
            tables.prune("audit-prune", Map.of());
        }
        return id;
    }

    void end(long entry, int status, Optional<String> why, Optional<String> details) {
        tables.sql("audit-end")
                .param("id", entry)
                .param("status", status)
                .param("why", line(why, LONGEST_WHY))
                .param("details", line(details, LONGEST_DETAILS))
                .update();
    }

    /** The entries before {@code before}, newest first. */
    public List<Entry> list(long before, int limit) {
        return tables.sql("audit-list")
                .param("before", before)
                .param("limit", limit)
                .query((row, index) -> new Entry(
                        row.getLong("id"),
                        Instant.EPOCH.plusNanos(row.getLong("at_us") * 1_000),
                        row.getString("who"),
                        Role.of(row.getString("role")),
                        row.getString("address"),
                        row.getString("action"),
                        row.getString("why"),
                        row.getString("details"),
                        row.getObject("status", Integer.class)))
                .list();
    }

    private static @Nullable String line(Optional<String> text, int longest) {
        return text.filter(words -> !words.isBlank())
                .map(words -> cut(words, longest))
                .orElse(null);
    }

    /** One line, without what could forge another. */
    private static String cut(String text, int longest) {
        String line = text.replaceAll("\\p{Cntrl}", " ");
        if (line.length() <= longest) {
            return line;
        }
        boolean splitsPair = Character.isHighSurrogate(line.charAt(longest - 1));
        return line.substring(0, splitsPair ? longest - 1 : longest);
    }
}
