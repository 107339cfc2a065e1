package dev.turno.examples.spark;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * Spark in local mode, over a store that the harvester has filled in a process of its own: what Spark finds in it is what the
 * harvester found.
 */
class ValidateOnSparkTest {

    @TempDir
    private Path folder = Path.of("set by JUnit");

    @Test
    @Timeout(value = 3, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
    void spark_finds_what_the_harvester_found() throws Exception {
        fillStore();
        String store = folder.resolve("records").toString();
        String network = Files.readString(folder.resolve("network.json"));
        JsonNode found = JsonMapper.shared().readTree(Files.readString(folder.resolve("diagnosis.json")));
        List<String> parts = ValidateOnSpark.parts(Files.readString(folder.resolve("parts.json")));
        try (SparkSession spark = SparkSession.builder()
                .master("local[2]")
                .config("spark.ui.enabled", false)
                .config("spark.sql.shuffle.partitions", 2)
                .config("spark.sql.codegen.wholeStage", false) // takes longer to compile than these few records take
                .config("spark.sql.codegen.factoryMode", "NO_CODEGEN")
                .config("spark.driver.bindAddress", "127.0.0.1")
                .config("spark.driver.host", "127.0.0.1")
                .getOrCreate()) {

            Dataset<Row> records = Records.live(spark, store, parts);
            Dataset<Row> judged = ValidateOnSpark.judge(records, network).cache();

            List<Row> all = judged.collectAsList();

            assertThat(parts).hasSize(2); // the full harvest, and the changes over it
            assertThat(all).hasSize(304);
            assertThat(all)
                    .filteredOn(row -> row.<Boolean>getAs("valid"))
                    .hasSize(found.at("/validation/valid").asInt())
                    .hasSizeBetween(1, 303);
            assertThat(all).allMatch(row -> row.<String>getAs("metadata").contains("Universidad X"));
            assertThat(all)
                    .filteredOn(row -> row.<String>getAs("metadata").contains("(revised 1)"))
                    .hasSize(3);
            assertThat(perRule(judged)).isEqualTo(perRule(found));
            assertThat(Records.perSet(records).collectAsList())
                    .extracting(row -> row.getString(0))
                    .containsExactly("articles", "open", "theses");
        }
    }

    private static Map<String, List<Long>> perRule(Dataset<Row> judged) {
        Map<String, List<Long>> counts = new TreeMap<>();
        ValidateOnSpark.perRule(judged)
                .collectAsList()
                .forEach(row -> counts.put(row.getString(0), List.of(row.getLong(1), row.getLong(2) - row.getLong(1))));
        return counts;
    }

    private static Map<String, List<Long>> perRule(JsonNode diagnosis) {
        Map<String, List<Long>> counts = new TreeMap<>();
        diagnosis
                .get("rules")
                .forEach(rule -> counts.put(
                        rule.get("rule").asString(),
                        List.of(rule.get("holds").asLong(), rule.get("breaks").asLong())));
        return counts;
    }

    /** The harvester has another Parquet and another Jackson than Spark, so it runs apart. */
    private void fillStore() throws IOException, InterruptedException {
        Path harvester = Path.of("..", "..", "turno-harvester", "target");
        Path written = harvester.resolve("test.classpath");
        assertThat(written)
                .as("The class path of the harvester's tests; build the module with its dependencies (-am).")
                .exists();
        String classPath = String.join(
                File.pathSeparator,
                harvester.resolve("test-classes").toString(),
                harvester.resolve("classes").toString(),
                Files.readString(written));
        ProcessBuilder builder = new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx256m",
                "-XX:TieredStopAtLevel=1",
                "dev.turno.harvester.http.SampleStore",
                folder.toString());
        builder.environment().put("CLASSPATH", classPath);
        Path log = folder.resolve("harvester.log");
        Process process =
                builder.redirectErrorStream(true).redirectOutput(log.toFile()).start();
        try {
            assertThat(process.waitFor(2, TimeUnit.MINUTES)).isTrue();
            assertThat(process.exitValue()).as(Files.readString(log)).isZero();
        } finally {
            process.destroyForcibly();
        }
    }
}
