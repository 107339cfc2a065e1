package dev.turno.fuzz;

import java.util.Arrays;
import java.util.List;

/** The steady targets in one process, for short runs: the first byte says which. */
public final class EveryTarget {

    private EveryTarget() {}

    public static void fuzzerTestOneInput(byte[] input) throws Exception {
        if (input.length > 0) {
            List<Target> targets = Target.steady();
            targets.get(Math.floorMod(input[0], targets.size())).accept(Arrays.copyOfRange(input, 1, input.length));
        }
    }
}
