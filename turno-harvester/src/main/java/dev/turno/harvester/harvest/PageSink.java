package dev.turno.harvester.harvest;

import dev.turno.harvester.oai.RecordSink;
import dev.turno.harvester.record.OaiRecord;
import dev.turno.harvester.store.PageBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Packs the records of a page and notes what the harvest must know about them. Belongs to the thread that fetches. */
final class PageSink implements RecordSink {

    /** Something that could not be used, not yet in a file. */
    record Bad(String identifier, String why, String raw) {}

    static final int MOST_BAD = 1_000;
    private static final Duration CLOCKS_DIFFER = Duration.ofDays(1);

    final PageBuffer buffer = new PageBuffer();
    private final List<Bad> bad = new ArrayList<>();
    private int moreBad;
    private Optional<Instant> highestBefore = Optional.empty();
    private boolean orderedBefore = true;
    private Optional<Instant> highest = Optional.empty();
    private boolean ordered = true;
    private Instant latest = Instant.MAX;
    private String firstIdentifier = "";
    private Optional<Instant> lowest = Optional.empty();

    /** The next page comes, of a window that has got so far. */
    void expect(Place place) {
        highestBefore = place.highest();
        orderedBefore = place.ordered();
        latest = Instant.now().plus(CLOCKS_DIFFER);
    }

    @Override
    public void begin() {
        buffer.clear();
        bad.clear();
        moreBad = 0;
        highest = highestBefore;
        ordered = orderedBefore;
        firstIdentifier = "";
        lowest = Optional.empty();
    }

    @Override
    public void record(OaiRecord record) {
        byte[] xml = record.xml().getBytes(StandardCharsets.UTF_8);
        record(record, xml, xml.length);
    }

    @Override
    public void record(OaiRecord record, byte[] xml, int size) {
        if (firstIdentifier.isEmpty()) {
            firstIdentifier = record.identifier();
        }
        Instant datestamp = record.datestamp();
        boolean behind = highest.isPresent() && datestamp.isBefore(highest.get());
        // Whoever went on behind a datestamp of the future would pass over all that is left.
        ordered &= !behind && !datestamp.isAfter(latest);
        if (!behind) {
            highest = Optional.of(datestamp);
        }
        if (lowest.isEmpty() || datestamp.isBefore(lowest.get())) {
            lowest = Optional.of(datestamp);
        }
        buffer.add(record, xml, size);
    }

    @Override
    public void quarantine(String identifier, String why, String raw) {
        if (bad.size() < MOST_BAD) {
            bad.add(new Bad(identifier, why, raw));
        } else {
            moreBad++;
        }
    }

    List<Bad> bad() {
        return bad;
    }

    /** How many beside {@link #bad} could not be used and were left out. */
    int moreBad() {
        return moreBad;
    }

    Optional<Instant> highest() {
        return highest;
    }

    Optional<Instant> lowest() {
        return lowest;
    }

    boolean isOrdered() {
        return ordered;
    }

    String firstIdentifier() {
        return firstIdentifier;
    }
}
