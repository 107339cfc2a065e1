package dev.turno.harvester.index;

/** What an index is for, and the names of the fields that every document in it has. */
public enum IndexKind {
    /** What people search. */
    FRONTEND("id", "network_id_str", "snapshot_id_str"),
    /** What the OAI-PMH provider serves. */
    XOAI("item.id", "item.network_id", "item.snapshot_id");

    private final String id;
    private final String network;
    private final String snapshot;

    IndexKind(String id, String network, String snapshot) {
        this.id = id;
        this.network = network;
        this.snapshot = snapshot;
    }

    public String idField() {
        return id;
    }

    /** The network's number. Not its acronym: a number cannot be mistaken for a part of a query. */
    public String networkField() {
        return network;
    }

    /** The snapshot from which the document was made. */
    public String snapshotField() {
        return snapshot;
    }
}
