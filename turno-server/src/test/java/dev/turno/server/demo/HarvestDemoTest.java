package dev.turno.server.demo;

import static org.assertj.core.api.Assertions.assertThat;

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
        assertThat(cli(url, 0, "network", "list")).contains("DEMO-NORTE").contains("1500");
        assertThat(cli(url, 0, "network", "check", "DEMO-SUR")).contains("usable: true");

        Path exported = data.resolve("exported.json");
        Files.writeString(exported, cli(url, 0, "network", "export", "DEMO-SUR"));
        assertThat(Files.readString(exported)).contains("demo-validator").contains("has a year");
        assertThat(cli(url, 0, "network", "import", exported.toString())).contains("acronym: DEMO-SUR");
        assertThat(cli(url, 0, "network", "schedule", "DEMO-SUR", "0 3 * * *")).contains("schedule: 0 3 * * *");
        assertThat(cli(url, 1, "network", "schedule", "DEMO-SUR", "whenever")).contains("turno: 400");
        assertThat(cli(url, 0, "network", "add", "MINE", "http://127.0.0.1:9/oai", "--on", "INDEX_FRONTEND"))
                .contains("subject: NETWORK::3");
        assertThat(cli(url, 0, "network", "run", "MINE", "HARVESTING_ACTION")).contains("state: PENDING");
        assertThat(cli(url, 0, "network", "stop", "MINE")).contains("runs: 1");
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

    private static String cli(String url, int code, String... arguments) {
        try (ChildProcess command = Launch.main(Main.class)
                .arguments(arguments)
                .environment("TURNO_URL", url)
                .environment("TURNO_TOKEN", TOKEN)
                .errorsInOutput()
                .start()) {
            int exit = command.awaitExit(PATIENCE);
            String output = String.join("\n", command.lines());
            assertThat(exit).as(output).isEqualTo(code);
            return output;
        }
    }
}
