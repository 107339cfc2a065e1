package dev.turno.harvester.network;

/** A network with its number, which never changes. */
public record StoredNetwork(long id, Network network) {

    /** Before the number, in a subject. */
    public static final String PREFIX = "NETWORK::";

    /** The subject of its runs: at most one of them is under way. */
    public String subject() {
        return PREFIX + id;
    }

    /** The number in a subject. */
    public static long idOf(String subject) {
        if (!subject.startsWith(PREFIX)) {
            throw new IllegalArgumentException(
                    "'" + subject + "' is not the subject of a network, such as NETWORK::7.");
        }
        return Long.parseLong(subject.substring(PREFIX.length()));
    }
}
