package dev.turno.harvester.harvest;

import dev.turno.harvester.network.Network;
import dev.turno.harvester.oai.Granularity;
import dev.turno.harvester.oai.ListRequest;
import java.time.Instant;
import java.util.Optional;

/**
 * How far a harvest is; as text it is the cursor of its run.
 *
 * @param page the last page that is spooled
 * @param set the number of the set that is being harvested
 * @param first the beginning of the window; empty: everything
 * @param from where the window goes on, if its token was lost
 * @param highest the highest datestamp seen in this window
 * @param ordered whether the datestamps of this window have come in order so far
 * @param restarts how often a token was lost
 * @param phase what is being done
 */
record Place(
        long page,
        int set,
        Optional<String> first,
        Optional<String> from,
        Optional<String> until,
        Granularity granularity,
        Optional<Instant> highest,
        boolean ordered,
        int restarts,
        Phase phase,
        Optional<String> token) {

    static final int LONGEST_TOKEN = 3_000;

    enum Phase {
        /** Pages are fetched. */
        FETCHING,
        /** All pages are spooled. */
        FETCHED,
        /** All pages are in parts. */
        STORED,
        /** The snapshot is complete. */
        COMPLETE
    }

    static Place start(Optional<String> from, Optional<String> until, Granularity granularity) {
        return new Place(
                0, 0, from, from, until, granularity, Optional.empty(), true, 0, Phase.FETCHING, Optional.empty());
    }

    static Place of(String text) {
        String[] lines = text.split("\n", 11);
        return new Place(
                Long.parseLong(lines[0]),
                Integer.parseInt(lines[1]),
                optional(lines[2]),
                optional(lines[3]),
                optional(lines[4]),
                Granularity.valueOf(lines[5]),
                optional(lines[6]).map(Instant::parse),
                Boolean.parseBoolean(lines[7]),
                Integer.parseInt(lines[8]),
                Phase.valueOf(lines[9]),
                optional(lines[10]));
    }

    private static Optional<String> optional(String text) {
        return text.isEmpty() ? Optional.empty() : Optional.of(text);
    }

    String text() {
        return String.join(
                "\n",
                Long.toString(page),
                Integer.toString(set),
                first.orElse(""),
                from.orElse(""),
                until.orElse(""),
                granularity.name(),
                highest.map(Instant::toString).orElse(""),
                Boolean.toString(ordered),
                Integer.toString(restarts),
                phase.name(),
                token.orElse(""));
    }

    ListRequest request(Network network, boolean prefixWithToken) {
        Optional<String> spec = network.sets().isEmpty()
                ? Optional.empty()
                : Optional.of(network.sets().get(set));
        return new ListRequest(
                network.originUrl(), network.metadataPrefix(), spec, from, until, token, prefixWithToken);
    }

    /** One page further. */
    Place after(Optional<Instant> highestNow, boolean stillOrdered, Optional<String> next) {
        return new Place(
                page + 1, set, first, from, until, granularity, highestNow, stillOrdered, restarts, phase, next);
    }

    /** The next set, from its beginning, or the end if this was the last. */
    Place nextSet(int sets) {
        boolean last = set + 1 >= sets;
        return new Place(
                page,
                last ? set : set + 1,
                first,
                first,
                until,
                granularity,
                Optional.empty(),
                true,
                restarts,
                last ? Phase.FETCHED : phase,
                Optional.empty());
    }

    /** The token was lost: goes on from the highest datestamp if they came in order, else from the beginning of the window. */
    Place withoutToken() {
        Optional<String> again = ordered && highest.isPresent() ? highest.map(granularity::format) : first;
        return new Place(
                page + 1,
                set,
                first,
                again,
                until,
                granularity,
                highest,
                ordered,
                restarts + 1,
                phase,
                Optional.empty());
    }

    Place in(Phase next) {
        return new Place(page, set, first, from, until, granularity, highest, ordered, restarts, next, token);
    }
}
