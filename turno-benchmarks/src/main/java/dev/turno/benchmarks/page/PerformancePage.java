package dev.turno.benchmarks.page;

import java.io.IOException;
import java.nio.file.Path;

/** stub */
public final class PerformancePage {
    private PerformancePage() {}

    public static Path write(Path results, Path docs) throws IOException {
        return docs;
    }
}
