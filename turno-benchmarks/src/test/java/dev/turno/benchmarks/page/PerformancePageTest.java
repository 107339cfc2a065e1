package dev.turno.benchmarks.page;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PerformancePageTest {

    private static final Path RESULTS = Path.of("src/test/resources/results.jsonl");
    private static final Path OTHER = Path.of("src/test/resources/results-mariadb.jsonl");

    @TempDir
    Path docs;

    private String page = "";

    @BeforeEach
    void write() throws IOException {
        page = Files.readString(PerformancePage.write(List.of(RESULTS, OTHER), docs));
    }

    @Test
    void the_goals_stand_first_with_what_was_missed_and_why() {
        assertThat(page)
                .contains("| throughput | noop-to-best-peer-keep-none | >= 10 | 14.1 | met |")
                .contains("| put | put-batch-to-best-peer | >= 1.5 | 1.6 | no difference measured |")
                .contains("| put | put-single-to-bare | >= 0.85 | 0.7 | **missed** |")
                .contains("- put-single-to-bare: 0.7 instead of >= 0.85.");
    }

    @Test
    void a_ratio_within_its_spread_is_not_told() {
        assertThat(page)
                .contains("| turno / db-scheduler, batch | no difference measured | 0.9 to 2.1 |")
                .contains("| turno / db-scheduler | 14.1 | 13.5 to 15 |");
    }

    @Test
    void the_run_its_machine_and_the_settings_are_told() {
        assertThat(page)
                .contains("| commit | abc1234 |")
                .contains("| cpu | An example |")
                .contains("- PostgreSQL server_version=17.6 fsync=on")
                .contains("a sample one: its figures are for a look");
    }

    @Test
    void a_violated_check_is_told_above_the_figures() {
        assertThat(page)
                .contains("**Not done right, so the figures mean nothing: locks could not be measured: no disk**");
    }

    @Test
    void every_plot_is_there_and_is_well_formed() throws Exception {
        Matcher images = Pattern.compile("!\\[[^]]*]\\(([^)]+)\\)").matcher(page);
        int count = 0;
        while (images.find()) {
            DocumentBuilderFactory.newInstance()
                    .newDocumentBuilder()
                    .parse(docs.resolve(images.group(1)).toFile());
            count++;
        }
        assertThat(count).isEqualTo(6);
        assertThat(files()).as("none was written over another").hasSize(count);
    }

    @Test
    void the_longest_bar_is_ours_and_the_others_are_in_proportion() throws IOException {
        String svg = Files.readString(docs.resolve("images/performance/throughput-no-op-messages-s.svg"));

        assertThat(svg).contains("prefers-color-scheme: dark");
        assertThat(widths(svg)).containsExactly(420 * 20_000.0 / 21_000, 420 * 5_000.0 / 21_000);
    }

    @Test
    void a_run_on_another_database_has_sections_of_its_own_and_no_goals() {
        assertThat(page)
                .contains("## Put on mariadb")
                .contains(
                        "![put, one at a time on mariadb, items/s](images/performance/put-one-at-a-time-on-mariadb-items-s.svg)");
    }

    private static List<Double> widths(String svg) {
        return Pattern.compile("<rect [^>]* width=\"([0-9.]+)\"")
                .matcher(svg)
                .results()
                .map(found -> Double.parseDouble(found.group(1)))
                .toList();
    }

    /** 20,000 a second on two cores, 1,000 bytes and 0.004 commits each. */
    @Test
    void a_hundred_times_the_load_is_reckoned_from_the_figures() {
        assertThat(page)
                .contains("100 x 20,000 = 2,000,000 messages a second")
                .contains("100.0 core-microseconds a message")
                .contains("2,000,000 a second need 200 cores")
                .contains("1,000 bytes a message make 2.0 GB a second")
                .contains("One commit for 250 messages: 8,000 commits a second over all")
                .contains("13 servers with 16 cores")
                .doesNotContain("{");
    }

    private List<Path> files() throws IOException {
        try (Stream<Path> files = Files.list(docs.resolve("images/performance"))) {
            return files.toList();
        }
    }
}
