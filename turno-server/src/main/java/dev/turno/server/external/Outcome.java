package dev.turno.server.external;

/**
 * What became of one thing that a worker presented: it was kept, or it is open, or the claim was lost.
 *
 * @param open it could not be written yet and is still the worker's: present it again
 * @param because empty if it was kept
 */
public record Outcome(String id, boolean kept, boolean open, String because) {

    static Outcome kept(String id) {
        return new Outcome(id, true, false, "");
    }

    static Outcome open(String id, String because) {
        return new Outcome(id, false, true, because);
    }

    static Outcome lost(String id, String because) {
        return new Outcome(id, false, false, because);
    }

    boolean isLost() {
        return !kept && !open;
    }
}
