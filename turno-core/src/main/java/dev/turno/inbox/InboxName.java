package dev.turno.inbox;

/** An inbox by name and by the number that its rows carry. */
record InboxName(String namespace, String inbox, long id) {

    @Override
    public String toString() {
        return namespace + "/" + inbox;
    }
}
