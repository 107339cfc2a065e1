package dev.turno.proof;

/** How long the proofs are: short by default, at full length with {@code -Dturno.scale=full}. */
final class Scale {

    private static final boolean FULL = "full".equals(System.getProperty("turno.scale"));

    private Scale() {}

    static boolean isFull() {
        return FULL;
    }

    static int of(int shortly, int fully) {
        return FULL ? fully : shortly;
    }
}
