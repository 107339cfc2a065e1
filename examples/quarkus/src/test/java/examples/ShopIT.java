package examples;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The application as a process of its own. */
class ShopIT {

    @Test
    @Timeout(value = 120, unit = TimeUnit.SECONDS)
    void an_order_that_arrives_twice_is_shipped_once(@TempDir Path folder) throws Exception {
        Process shop = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-Dquarkus.datasource.jdbc.url=jdbc:h2:file:" + folder.resolve("shop") + ";WRITE_DELAY=0",
                        "-jar",
                        "target/quarkus-app/quarkus-run.jar")
                .redirectErrorStream(true)
                .redirectOutput(folder.resolve("said").toFile())
                .start();
        try {
            while (shop.isAlive() && said(folder).stream().noneMatch(line -> line.startsWith("shipping"))) {
                Thread.sleep(50);
            }
            shop.destroy();
            shop.waitFor();
        } finally {
            shop.destroyForcibly();
        }

        List<String> lines = said(folder);
        assertTrue(lines.contains("shipping tea, attempt 1"), () -> String.join("\n", lines));
        assertEquals(1, lines.stream().filter(line -> line.startsWith("shipping")).count());
        assertEquals(1, lines.stream().filter(line -> line.startsWith("Stored")).count());
    }

    private static List<String> said(Path folder) throws IOException {
        return Files.readAllLines(folder.resolve("said"));
    }
}
