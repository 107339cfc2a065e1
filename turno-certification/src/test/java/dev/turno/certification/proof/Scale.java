package dev.turno.certification.proof;

/** How long the proofs are: short by default, at full length with {@code -Dturno.scale=full}. */
final class Scale {

    private Scale() {}

    static int of(int shortly, int fully) {
        return "full".equals(System.getProperty("turno.scale")) ? fully : shortly;
    }
}
