package dev.turno.harvester.store;

/** What came in a harvest and could not be used: the record that was there before is not gone. Filled by one thread, then only read. */
public final class Unusable {

    private final KeySet named = new KeySet();
    private boolean any;
    private boolean unnamed;

    /** @param identifier empty: nobody knows what it was */
    public void add(String identifier) {
        any = true;
        if (identifier.isEmpty()) {
            unnamed = true;
        } else {
            boolean unused = named.add(Keys.of(identifier, false));
        }
    }

    boolean isAny() {
        return any;
    }

    /** Whether it may have been this one. */
    boolean mayBe(long key) {
        return unnamed || named.contains(key);
    }
}
