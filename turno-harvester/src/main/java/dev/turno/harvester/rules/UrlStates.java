package dev.turno.harvester.rules;

/** What is known about URLs. Asked for every URL of every record, so it answers from memory. */
@FunctionalInterface
public interface UrlStates {

    /** What is known about one URL. */
    enum UrlState {
        EXISTS,
        MISSING,
        /** Nobody has looked yet. It passes for now, and is looked up for the next validation. */
        UNKNOWN
    }

    UrlState of(String url);

    /** Nothing is known. */
    static UrlStates unknown() {
        return url -> UrlState.UNKNOWN;
    }
}
