package dev.turno.server.external;

/**
 * What became of one thing that a worker presented.
 *
 * @param because empty if it was kept
 */
public record Outcome(String id, boolean kept, String because) {

    static Outcome kept(String id) {
        return new Outcome(id, true, "");
    }

    static Outcome lost(String id, String because) {
        return new Outcome(id, false, because);
    }
}
