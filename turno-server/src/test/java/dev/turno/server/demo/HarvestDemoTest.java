package dev.turno.server.demo;

import static org.assertj.core.api.Assertions.assertThat;

import dev.turno.server.cli.Commands;
import dev.turno.server.cli.Main;
import dev.turno.server.dashboard.Chromium;
import dev.turno.server.dashboard.Pictures;
import dev.turno.server.dashboard.Visit;
import dev.turno.server.dashboard.Way;
import dev.turno.testkit.process.ChildProcess;
import dev.turno.testkit.process.Launch;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code turno up --demo} as a process of its own, and what {@code turno network} does to it. */
class HarvestDemoTest {

    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final String TOKEN = "a-token-that-somebody-chose";

    @TempDir
    private Path data = Path.of("");

    @Test
    void two_repositories_are_harvested_judged_and_searchable_within_a_minute() throws Exception {
        long begin = System.nanoTime();
        try (ChildProcess server = Launch.main(Main.class)
                .jvmOptions("-Xmx256m")
                .arguments("up", "--port", "0", "--data", data.toString(), "--demo")
                .arguments("--set", "turno.holder.lease=3s")
                .environment("TURNO_ADMIN_TOKEN", TOKEN)
                .errorsInOutput()
                .endedBy("TERM")
                .start()) {
            String url = server.awaitLine(line -> line.startsWith("Turno is ready on "), PATIENCE)
                    .replaceFirst("Turno is ready on (\\S+) .*", "$1");
            isSearchable(url);
            System.out.printf("searchable %.1f s after the start of the process%n", (System.nanoTime() - begin) / 1e9);
            isAtHand(url);
            losesANode(url);
        }
    }

    private static void isSearchable(String url) throws Exception {
        Awaitility.await()
                .atMost(PATIENCE)
                .pollInterval(Duration.ofMillis(200))
                .until(() -> body(url + "/api/v1/search?q=&size=1").contains("\"total\":3000"));
        assertThat(body(url + "/api/v1/search?q=&network_acronym_str=DEMO-SUR")).contains("\"total\":1500");
        Awaitility.await()
                .atMost(PATIENCE)
                .until(() -> body(url + "/oai?verb=ListRecords&metadataPrefix=oai_dc")
                        .contains("oai:"));
    }

    private void isAtHand(String url) throws Exception {
        Path exported = data.resolve("exported.json");
        Files.writeString(
                exported,
                run(url, List.of(List.of("network", "export", "DEMO-SUR"))).output(0, 0));
        assertThat(Files.readString(exported)).contains("demo-validator").contains("has a year");
        Path broken = Files.writeString(data.resolve("broken.json"), "{\"network\":");
        String origin = Files.readString(exported).replaceFirst("(?s).*\"originUrl\" : \"([^\"]*)\".*", "$1");

        Commands done = run(
                url,
                List.of(
                        List.of("network", "list"),
                        List.of("network", "check", "DEMO-SUR"),
                        List.of("network", "check", origin, "--set", "novels"),
                        List.of("network", "import", exported.toString()),
                        List.of("network", "import", broken.toString()),
                        List.of(
                                "network",
                                "import",
                                data.resolve("nowhere.json").toString()),
                        List.of("network", "schedule", "DEMO-SUR", "0 3 * * *"),
                        List.of("network", "schedule", "DEMO-SUR", "whenever"),
                        List.of("network", "add", "MINE", "http://127.0.0.1:9/oai", "--on", "INDEX_FRONTEND"),
                        List.of("network", "add", "OTHER", "http://127.0.0.1:9/oai", "--on", "FLY"),
                        List.of("network", "run", "MINE", "HARVESTING_ACTION"),
                        List.of("network", "stop", "MINE"),
                        List.of("network", "list", "--url", "nowhere")));

        assertThat(done.output(0, 0)).contains("DEMO-NORTE").contains("1500");
        assertThat(done.output(1, 0)).contains("usable: true").contains("formats:\n  oai_dc");
        assertThat(done.output(2, 0)).contains("usable: false").contains("It has no set 'novels'.");
        assertThat(done.output(3, 0)).contains("acronym: DEMO-SUR");
        assertThat(done.output(4, 1)).contains("broken.json is not JSON");
        assertThat(done.output(5, 1)).contains("nowhere.json cannot be read");
        assertThat(done.output(6, 0)).contains("schedule: 0 3 * * *");
        assertThat(done.output(7, 1)).contains("turno: 400");
        assertThat(done.output(8, 0)).contains("subject: NETWORK::3");
        assertThat(done.output(9, 1))
                .contains("There is no property 'FLY'; there are [")
                .contains("INDEX_FRONTEND");
        assertThat(done.output(10, 0)).contains("state: PENDING");
        assertThat(done.output(11, 0)).contains("runs: 1");
        assertThat(done.output(12, 1)).contains("begins with http:// or https://");
    }

    /** The button in the dashboard: what the node that dies was running goes on, with a higher fence, on the one that comes. */
    private static void losesANode(String url) {
        Optional<Chromium> chromium = Chromium.startIfThere();
        if (chromium.isEmpty()) {
            return; // the dashboard's own test says that it was skipped
        }
        try (Chromium browser = chromium.get();
                Visit visit = new Visit(browser, url + "/", Way.ENGLISH).signIn(TOKEN)) {
            Pictures.takeIfWished(visit);
            visit.open("runs?state=DOING").see("demo-node-2");

            visit.open("overview").click("kill").confirm("").seeDone("kill");

            visit.open("holders").see(visit.word("reaped")).see("demo-node-3");
            visit.open("runs?state=DOING").see("demo-node-3");
            Awaitility.await()
                    .atMost(PATIENCE)
                    .pollInSameThread()
                    .until(() -> wasTakenOver(visit, "DOING") || wasTakenOver(visit, "DONE"));
        }
    }

    /** Only who takes a run over raises its fence to two: it is neither stopped nor parked here. */
    private static boolean wasTakenOver(Visit visit, String state) {
        return (Boolean) visit.page()
                .evaluate(
                        "state => fetch('../api/v1/runs?limit=100&state=' + state).then(answer => answer.json())"
                                + ".then(({items}) => items.some(run => run.job === 'demo-count' && run.fence > 1))",
                        state);
    }

    private static String body(String url) throws IOException, InterruptedException {
        return HttpClient.newHttpClient()
                .send(HttpRequest.newBuilder(URI.create(url)).build(), HttpResponse.BodyHandlers.ofString())
                .body();
    }

    private static Commands run(String url, List<List<String>> commands) {
        return Commands.run(Map.of("TURNO_URL", url, "TURNO_TOKEN", TOKEN), commands);
    }
}
