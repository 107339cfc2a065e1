package dev.turno.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import dev.turno.benchmarks.throughput.BrokenRuns;
import dev.turno.testkit.database.TestDatabase;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class BenchTest {

    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final ByteArrayOutputStream err = new ByteArrayOutputStream();

    private int bench(List<Workload> workloads, String... args) {
        return new Bench(printing(out), printing(err), workloads).run(List.of(args));
    }

    private static PrintStream printing(ByteArrayOutputStream to) {
        return new PrintStream(to, true, StandardCharsets.UTF_8);
    }

    private List<JsonObject> lines() {
        return out.toString(StandardCharsets.UTF_8)
                .lines()
                .map(line -> JsonParser.parseString(line).getAsJsonObject())
                .toList();
    }

    private static Workload broken(BrokenRuns.Fault fault) {
        return new Workload(
                "broken",
                Duration.ofMinutes(1),
                Duration.ofMinutes(1),
                Set.of(TestDatabase.H2),
                setup -> BrokenRuns.run(setup, fault));
    }

    @ParameterizedTest
    @CsvSource({
        "NONE, 0, ''",
        "LOSES_ONE, 1, 1 messages never ran",
        "RUNS_ONE_TWICE, 1, 1 messages ran more than once",
        "FORGETS_ONE_IN_THE_DATABASE, 1, 1 messages are not finished in the database"
    })
    void a_runner_that_is_wrong_about_one_item_fails_the_run(BrokenRuns.Fault fault, int code, String said) {
        assertThat(bench(List.of(broken(fault)), "broken", "--tiny", "--db", "h2"))
                .isEqualTo(code);
        assertThat(err.toString(StandardCharsets.UTF_8)).contains(said);
    }

    @Test
    void every_line_of_json_has_the_one_form(@TempDir Path folder) throws IOException {
        Path file = folder.resolve("results.jsonl");

        assertThat(bench(Workload.ALL, "put", "--tiny", "--json", "--out", file.toString()))
                .as(err.toString(StandardCharsets.UTF_8))
                .isZero();

        List<JsonObject> lines = new ArrayList<>(lines());
        JsonObject last = lines.remove(lines.size() - 1);
        assertThat(lines)
                .isNotEmpty()
                .allSatisfy(line -> assertThat(line.keySet()).contains("workload", "who", "value", "unit"));
        assertThat(last.get("workload").getAsString()).isEqualTo("put");
        assertThat(last.getAsJsonObject("ratios").keySet()).isNotEmpty();
        assertThat(last.getAsJsonObject("goals").keySet())
                .contains(
                        "put-single-to-bare", "put-batch-to-bare", "put-single-to-best-peer", "put-batch-to-best-peer");
        assertThat(last.getAsJsonObject("goals").asMap().values())
                .allSatisfy(goal -> assertThat(goal.getAsJsonObject().keySet()).contains("goal", "value", "met"));
        assertThat(Files.readString(file)).isEqualTo(out.toString(StandardCharsets.UTF_8));
    }

    @Test
    void one_that_cannot_be_measured_is_told_in_the_same_form_and_fails() {
        Workload failing =
                new Workload("failing", Duration.ZERO, Duration.ZERO, Set.of(TestDatabase.POSTGRESQL), setup -> {
                    throw new IllegalStateException("no disk");
                });

        assertThat(bench(List.of(failing), "failing", "--json")).isEqualTo(Bench.FAILED);
        assertThat(lines())
                .singleElement()
                .satisfies(line -> assertThat(line.get("violations").toString()).contains("no disk"));
    }

    @Test
    void wrong_usage_is_told_and_nothing_is_run() {
        for (String wrong :
                List.of("", "nothing", "put --db oracle", "put --out", "locks put", "growth --db h2", "--fast")) {
            String[] words = Arrays.stream(wrong.split(" ", -1))
                    .filter(word -> !word.isEmpty())
                    .toArray(String[]::new);
            assertThat(bench(Workload.ALL, words)).as(wrong).isEqualTo(Bench.WRONG_USAGE);
        }
        assertThat(out.toString(StandardCharsets.UTF_8)).isEmpty();
    }

    @Test
    void all_of_them_together_keep_the_promised_times() {
        Duration full = Duration.ZERO;
        Duration quick = Duration.ZERO;
        for (Workload workload : Workload.ALL) {
            full = full.plus(workload.full());
            quick = quick.plus(workload.quick());
        }

        assertThat(full).isLessThan(Duration.ofHours(2));
        assertThat(quick).isLessThan(Duration.ofMinutes(15));
    }
}
