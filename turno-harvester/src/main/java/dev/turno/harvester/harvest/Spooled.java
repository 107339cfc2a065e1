package dev.turno.harvester.harvest;

import dev.turno.harvester.store.Spool;

/** A page that is in the spool. */
record Spooled(Spool.Frame frame, Head head) {

    static Spooled of(Spool.Frame frame) {
        return new Spooled(frame, Head.of(frame.head()));
    }

    Place after() {
        return Place.of(head.after());
    }
}
