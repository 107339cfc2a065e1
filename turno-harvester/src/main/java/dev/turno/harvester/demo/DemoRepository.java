package dev.turno.harvester.demo;

import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** What the demonstration's provider has. Only what was changed is kept in memory. Shared by threads. */
public final class DemoRepository {

    private record Changed(int version, boolean deleted, Instant at) {}

    private static final Instant FIRST = Instant.parse("2020-01-01T00:00:00Z");
    private static final List<String> SETS = List.of("articles", "theses", "open");

    private final String name;
    private final Map<Integer, Changed> changes = new HashMap<>(); // guarded by this
    private int size; // guarded by this

    public DemoRepository(String name, int size) {
        this.name = name;
        this.size = size;
    }

    public String name() {
        return name;
    }

    public synchronized int size() {
        return size;
    }

    /** Forgets the last records, without a trace. */
    public synchronized void shrinkTo(int records) {
        size = records;
    }

    /** Adds records at the end; their datestamps follow from their numbers unless they are changed. */
    public synchronized void growTo(int records, Instant at) {
        for (int number = size; number < records; number++) {
            changes.put(number, new Changed(0, false, at));
        }
        size = records;
    }

    public synchronized void change(int number, Instant at) {
        int version = changes.containsKey(number) ? changes.get(number).version() + 1 : 1;
        changes.put(number, new Changed(version, false, at));
    }

    public synchronized void delete(int number, Instant at) {
        changes.put(number, new Changed(0, true, at));
    }

    public String identifier(int number) {
        return "oai:" + name + ".example:" + number;
    }

    synchronized Instant datestamp(int number) {
        Changed changed = changes.get(number);
        return changed == null ? FIRST.plusSeconds(number * 60L) : changed.at();
    }

    public synchronized boolean isDeleted(int number) {
        Changed changed = changes.get(number);
        return changed != null && changed.deleted();
    }

    synchronized int version(int number) {
        Changed changed = changes.get(number);
        return changed == null ? 0 : changed.version();
    }

    /** Each record is in one or two sets. */
    List<String> setsOf(int number) {
        String kind = number % 3 == 0 ? "theses" : "articles";
        return number % 2 == 0 ? List.of(kind, "open") : List.of(kind);
    }

    static List<String> sets() {
        return SETS;
    }
}
