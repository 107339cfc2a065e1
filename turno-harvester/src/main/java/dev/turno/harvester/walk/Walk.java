package dev.turno.harvester.walk;

import dev.turno.harvester.record.Selection;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * Which records a run walks through, and how far it has come. As text it is the run's cursor.
 *
 * @param since only what harvests after this snapshot brought; empty: everything
 * @param after the store's cursor
 */
public record Walk(long snapshot, OptionalLong since, Optional<String> after) {

    /** Everything that a snapshot shows. */
    public static Walk all(long snapshot) {
        return new Walk(snapshot, OptionalLong.empty(), Optional.empty());
    }

    /** What changed after an older snapshot. */
    public static Walk since(long snapshot, long older) {
        return new Walk(snapshot, OptionalLong.of(older), Optional.empty());
    }

    public static Walk of(String cursor) {
        String[] parts = cursor.split("/", 3);
        return new Walk(
                Long.parseLong(parts[0]),
                parts[1].isEmpty() ? OptionalLong.empty() : OptionalLong.of(Long.parseLong(parts[1])),
                parts[2].isEmpty() ? Optional.empty() : Optional.of(parts[2]));
    }

    public boolean isFull() {
        return since.isEmpty();
    }

    /** Deletions matter only to those who knew the record before. */
    public Selection selection() {
        return isFull() ? Selection.live() : Selection.changedSince(since.getAsLong());
    }

    Walk movedTo(String cursor) {
        return new Walk(snapshot, since, Optional.of(cursor));
    }

    @Override
    public String toString() {
        return snapshot + "/" + (isFull() ? "" : Long.toString(since.getAsLong())) + "/" + after.orElse("");
    }
}
