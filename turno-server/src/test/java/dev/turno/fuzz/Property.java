package dev.turno.fuzz;

/** What has to hold, whatever comes in. */
public final class Property {

    private Property() {}

    /** @throws AssertionError which is what makes an input a finding */
    public static void holds(boolean good, String what) {
        if (!good) {
            throw new AssertionError("This does not hold: " + what);
        }
    }
}
