package dev.turno.fuzz;

import java.nio.charset.StandardCharsets;

/** A parser with a mistake that no dice would hit: only a fuzzer that sees what is compared finds it. */
public final class PlantedMistake {

    private PlantedMistake() {}

    public static void fuzzerTestOneInput(byte[] input) {
        String text = new String(input, StandardCharsets.UTF_8);
        Property.holds(!text.startsWith("turno:") || text.length() < 8, "the planted mistake is not found");
    }
}
