package dev.turno.harvester.http;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import dev.turno.Turno;
import dev.turno.harvester.bitstream.BitstreamState;
import dev.turno.harvester.bitstream.Bitstreams;
import dev.turno.harvester.demo.DemoProvider;
import dev.turno.harvester.demo.DemoRepository;
import dev.turno.harvester.demo.Mischief;
import dev.turno.harvester.network.Networks;
import dev.turno.harvester.network.Snapshot;
import dev.turno.harvester.network.Snapshots;
import dev.turno.harvester.provider.ProtocolCheck;
import dev.turno.run.RunRequest;
import dev.turno.run.RunState;
import dev.turno.testkit.database.FreshDatabase;
import dev.turno.testkit.database.OnDatabase;
import dev.turno.testkit.database.TestDatabase;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.jdbc.core.simple.JdbcClient;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

@OnDatabase(TestDatabase.H2)
class HarvesterHttpTest {

    private static final String ADMIN = "the-admin-token-of-the-tests";
    private static final String RULES =
            "{\"name\":\"strict\",\"purpose\":\"VALIDATION\",\"rules\":[{\"name\":\"has a title\",\"type\":\"occurrences\","
                    + "\"settings\":{\"field\":\"dc.title\"}},{\"name\":\"reachable\",\"type\":\"url-exists\",\"mandatory\":false,"
                    + "\"settings\":{\"field\":\"dc.source\"}}]}";

    @EnableAutoConfiguration
    static class Application {}

    private final DemoRepository repository = new DemoRepository("demo", 250);
    private final DemoProvider source;
    private final Path folder;
    private final ConfigurableApplicationContext context;
    private final HttpClient client = HttpClient.newHttpClient();

    HarvesterHttpTest(FreshDatabase database, @TempDir Path folder) throws Exception {
        this.source = DemoProvider.start(repository, 100, 0);
        this.folder = folder;
        this.context = SpringApplication.run(
                Application.class,
                "--server.port=0",
                "--spring.datasource.url=" + database.url(),
                "--spring.datasource.username=" + database.user(),
                "--spring.datasource.password=" + database.password(),
                "--spring.main.banner-mode=off",
                "--turno.poll=50ms",
                "--turno.admin.token=" + ADMIN,
                "--turno.harvester.allow=127.0.0.1",
                "--turno.harvester.folder=" + folder);
    }

    @AfterEach
    void close() {
        context.close();
        source.close();
    }

    private record Answer(int status, String body) {

        JsonNode json() {
            return JsonMapper.shared().readTree(body);
        }
    }

    private String url() {
        return "http://127.0.0.1:" + context.getEnvironment().getRequiredProperty("local.server.port");
    }

    private Answer send(String method, String path, String body, String token) {
        try {
            HttpRequest request = HttpRequest.newBuilder(URI.create(url() + path))
                    .method(method, HttpRequest.BodyPublishers.ofString(body))
                    .header("Content-Type", "application/json")
                    .header("Authorization", "Bearer " + token)
                    .build();
            HttpResponse<String> response = client.send(request, HttpResponse.BodyHandlers.ofString());
            return new Answer(response.statusCode(), response.body());
        } catch (Exception e) {
            throw new AssertionError(method + " " + path, e);
        }
    }

    private JsonNode get(String path) {
        Answer answer = send("GET", "/api/v1" + path, "", ADMIN);
        assertThat(answer.status()).as(path + " " + answer.body()).isEqualTo(200);
        return answer.json();
    }

    private Answer post(String path, String body) {
        return send("POST", "/api/v1" + path, body, ADMIN);
    }

    private String network(String more) {
        return "{\"acronym\":\"A:B*\",\"name\":\"Ab\",\"originUrl\":\"" + source.url() + "\"" + more + "}";
    }

    private void addNetwork() {
        assertThat(send("PUT", "/api/v1/rule-sets/strict", RULES, ADMIN).status())
                .isEqualTo(200);
        Answer added = post(
                "/networks",
                network(
                        ",\"validator\":\"strict\",\"properties\":{\"VALIDATE\":true,\"INDEX_FRONTEND\":true,\"INDEX_XOAI\":true}"));
        assertThat(added.status()).as(added.body()).isEqualTo(201);
    }

    /** Runs an action, or all, and waits until the last run of the network is over. */
    private void run(String wish) {
        Answer begun = post("/networks/A%3AB%2A/run", wish);
        assertThat(begun.status()).as(begun.body()).isEqualTo(201);
        awaitIdle();
    }

    private void awaitIdle() {
        Turno turno = context.getBean(Turno.class);
        Awaitility.await()
                .atMost(Duration.ofSeconds(60))
                .until(() -> turno.runs().ofSubject("NETWORK::1", java.util.Optional.empty(), 50).stream()
                        .allMatch(run -> Set.of(RunState.DONE, RunState.DEAD, RunState.STOPPED, RunState.CANCELLED)
                                .contains(run.state())));
    }

    @Test
    void a_network_is_checked_added_harvested_judged_indexed_searched_harvested_again_and_removed() throws Exception {
        JsonNode checked = post("/networks/check", network("")).json();
        assertThat(checked.get("usable").asBoolean()).as(checked.toString()).isTrue();
        assertThat(checked.get("records").asInt()).isEqualTo(100);
        assertThat(get("/networks").get("items")).isEmpty();
        addNetwork();

        run("{}");

        JsonNode shown = get("/networks/A%3AB%2A");
        assertThat(shown.at("/lastGood/status").asString()).isEqualTo("INDEXED");
        long snapshot = shown.at("/lastGood/id").asLong();
        assertThat(get("/search?q=").get("total").asInt()).isEqualTo(250);
        assertThat(get("/snapshots/" + snapshot + "/records?status=VALID&limit=200")
                        .get("items"))
                .hasSize(200);
        assertThat(get("/networks/A%3AB%2A/records/oai%3Ademo.example%3A7")
                        .at("/record/xml")
                        .asString())
                .contains("<dc:title");
        assertThat(get("/snapshots/" + snapshot + "/diagnosis")
                        .at("/rules/0/holds")
                        .asInt())
                .isEqualTo(250);
        assertThat(get("/snapshots/" + snapshot + "/log").get("items")).isNotEmpty();
        for (String file : List.of("file", "results")) {
            assertThat(folder.resolve("records")
                            .resolve(get("/snapshots/" + snapshot + "/parts")
                                    .at("/items/0/" + file)
                                    .asString()))
                    .isRegularFile();
        }
        assertThat(get("/networks/A%3AB%2A/history").at("/items/0/who").asString())
                .isNotEmpty();
        assertThat(provided()).hasSize(250);

        repository.delete(3, Instant.now());
        run("{}");
        assertThat(get("/search?q=").get("total").asInt()).isEqualTo(249);
        assertThat(ProtocolCheck.of(this::askProvider))
                .hasSize(250)
                .filteredOn(header -> header.deleted())
                .hasSize(1);
        run("{\"action\":\"ENTITY_EXTRACTION_ACTION\"}");
        assertThat(get("/entities?kind=PERSON").get("items")).isNotEmpty();

        assertThat(send("DELETE", "/api/v1/rule-sets/strict", "", ADMIN).status())
                .as("in use")
                .isEqualTo(409);
        assertThat(send("DELETE", "/api/v1/networks/A%3AB%2A", "", ADMIN).status())
                .isEqualTo(202);
        Awaitility.await()
                .atMost(Duration.ofSeconds(60))
                .until(() -> context.getBean(Networks.class).find("A:B*").isEmpty());
        assertThat(get("/search?q=").get("total").asInt()).isZero();
        assertThat(send("GET", "/api/v1/snapshots/" + snapshot, "", ADMIN).status())
                .isEqualTo(404);
        assertThat(get("/entities?kind=PERSON").get("items")).isEmpty();
        assertThat(context.getBean(JdbcClient.class)
                        .sql("select count(*) from turno_rule_count")
                        .query(Long.class)
                        .single())
                .isZero();
    }

    @Test
    void a_network_can_be_removed_while_it_is_harvested() throws Exception {
        addNetwork();
        source.misbehave(Mischief.onPage(2, Mischief.slow(Duration.ofSeconds(80))));
        long run = post("/networks/A%3AB%2A/run", "{}").json().get("id").asLong();
        Snapshots snapshots = context.getBean(Snapshots.class);
        Awaitility.await()
                .atMost(Duration.ofSeconds(60))
                .until(() -> snapshots.ofRun(run).map(Snapshot::size).orElse(0L) == 100);

        assertThat(send("DELETE", "/api/v1/networks/A%3AB%2A", "", ADMIN).status())
                .isEqualTo(202);

        Awaitility.await()
                .atMost(Duration.ofSeconds(60))
                .until(() -> context.getBean(Networks.class).find("A:B*").isEmpty());
        awaitIdle();
        assertThat(get("/runs/" + run).get("state").asString()).isEqualTo("STOPPED");
        assertThat(snapshots.ofRun(run)).isEmpty();
        try (var left = Files.walk(folder.resolve("records"))) {
            assertThat(left).noneMatch(Files::isRegularFile);
        }
        assertThat(post("/networks", network("")).status())
                .as("its acronym is free")
                .isEqualTo(201);
    }

    private ProtocolCheck.Answer askProvider(boolean byPost, String query) throws Exception {
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(url() + "/oai" + (byPost ? "" : "?" + query)))
                .header("Authorization", "Bearer " + ADMIN);
        if (byPost) {
            request.header("Content-Type", "application/x-www-form-urlencoded")
                    .POST(HttpRequest.BodyPublishers.ofString(query));
        }
        HttpResponse<String> response = client.send(request.build(), HttpResponse.BodyHandlers.ofString());
        return new ProtocolCheck.Answer(
                response.statusCode(),
                response.headers().firstValue("Content-Type").orElse(""),
                response.body());
    }

    /** What the product's own client gets from the product's own provider, asked with a token. */
    private Set<String> provided() throws Exception {
        Set<String> identifiers = ConcurrentHashMap.newKeySet();
        String token = "";
        do {
            String arguments = token.isEmpty()
                    ? "verb=ListIdentifiers&metadataPrefix=oai_dc"
                    : "verb=ListIdentifiers&resumptionToken="
                            + java.net.URLEncoder.encode(token, java.nio.charset.StandardCharsets.UTF_8);
            String page = send("GET", "/oai?" + arguments, "", ADMIN).body();
            java.util.regex.Matcher each =
                    java.util.regex.Pattern.compile("<identifier>([^<]+)").matcher(page);
            while (each.find()) {
                identifiers.add(each.group(1));
            }
            java.util.regex.Matcher next = java.util.regex.Pattern.compile("<resumptionToken[^>]*>([^<]+)")
                    .matcher(page);
            token = next.find() ? next.group(1) : "";
        } while (!token.isEmpty());
        return identifiers;
    }

    @Test
    void changes_are_for_admins_runs_for_operators_and_all_is_audited() {
        addNetwork();
        String viewer = token("viewer");
        String operator = token("operator");

        assertThat(send("GET", "/api/v1/networks", "", viewer).status()).isEqualTo(200);
        assertThat(send("GET", "/oai?verb=Identify", "", "nobody's").status()).isEqualTo(401);
        assertThat(send("GET", "/api/v1/search", "", "nobody's").status()).isEqualTo(401);
        assertThat(send("GET", "/search", "", "nobody's").status())
                .as("the page alone")
                .isEqualTo(200);
        for (List<String> one : List.of(
                List.of("POST", "/networks", network("")),
                List.of("PUT", "/networks/A%3AB%2A", network("")),
                List.of("DELETE", "/networks/A%3AB%2A", ""),
                List.of("PUT", "/rule-sets/strict", RULES),
                List.of("DELETE", "/rule-sets/strict", ""))) {
            assertThat(send(one.get(0), "/api/v1" + one.get(1), one.get(2), operator)
                            .status())
                    .as(one.toString())
                    .isEqualTo(403);
        }
        assertThat(send("POST", "/api/v1/networks/A%3AB%2A/run", "{}", viewer).status())
                .isEqualTo(403);
        assertThat(send("POST", "/api/v1/networks/A%3AB%2A/run", "{\"action\":\"HARVESTING_ACTION\"}", operator)
                        .status())
                .isEqualTo(201);
        assertThat(get("/audit?limit=100").toString())
                .contains("/networks/A%3AB%2A/run")
                .contains("/rule-sets/strict");
        awaitIdle();
    }

    private String token(String role) {
        return post("/tokens", "{\"name\":\"a " + role + "\",\"role\":\"" + role + "\"}")
                .json()
                .get("token")
                .asString();
    }

    @Test
    void what_cannot_be_is_refused_and_nothing_is_stored() {
        addNetwork();
        for (String more :
                List.of(",\"schedule\":\"whenever\"", ",\"validator\":\"unknown\"", ",\"properties\":{\"FLY\":true}")) {
            assertThat(post("/networks", network(more).replace("A:B*", "C")).status())
                    .as(more)
                    .isIn(400, 422);
        }
        assertThat(post("/networks", "{\"acronym\":\"C\",\"originUrl\":\"file:///etc\"}")
                        .status())
                .isEqualTo(400);
        assertThat(post("/networks", network("")).status()).isEqualTo(409);
        assertThat(post("/networks", network(",\"properties\":{\"FLY\":true}")).body())
                .contains("There is no property 'FLY'", "INDEX_FRONTEND");
        assertThat(post("/networks", network(",\"transformer\":\"strict\"").replace("A:B*", "C"))
                        .body())
                .contains("made for VALIDATION");
        assertThat(get("/networks").get("items")).hasSize(1);
        assertThat(send("PUT", "/api/v1/rule-sets/broken", RULES.replace("occurrences", "guess"), ADMIN)
                        .status())
                .isEqualTo(400);
        assertThat(send("PUT", "/api/v1/networks/A%3AB%2A/schedule", "{\"schedule\":\"0 3 * * *\"}", ADMIN)
                        .json()
                        .get("schedule")
                        .asString())
                .isEqualTo("0 3 * * *");
        importLeavesNothingBehind();
        assertThat(post("/networks/nobody/run", "{}").status()).isEqualTo(404);
        assertThat(get("/search?q=&size=10").get("total").asInt()).isZero();
        assertThat(send("GET", "/api/v1/search?nofacet=1", "", ADMIN).status()).isEqualTo(400);
    }

    private void importLeavesNothingBehind() {
        String exported = get("/networks/A%3AB%2A/export").toString().replace("\"strict\"", "\"renamed\"");

        Answer refused = post("/networks/import", exported.replace("0 3 * * *", "whenever"));

        assertThat(refused.status()).as(refused.body()).isEqualTo(400);
        assertThat(get("/rule-sets").get("items")).hasSize(1);
        assertThat(get("/networks/A%3AB%2A").get("validator").asString()).isEqualTo("strict");
    }

    @Test
    void a_network_goes_to_another_server_with_its_rules() {
        addNetwork();
        String exported = get("/networks/A%3AB%2A/export").toString();
        assertThat(post("/rule-sets/strict/clone", "{\"as\":\"copied\"}").status())
                .isEqualTo(201);

        Answer imported =
                post("/networks/import", exported.replace("A:B*", "OTHER").replace("\"strict\"", "\"renamed\""));

        assertThat(imported.status()).as(imported.body()).isEqualTo(200);
        assertThat(imported.json().get("validator").asString()).isEqualTo("renamed");
        assertThat(get("/rule-sets").get("items")).hasSize(3);
        assertThat(get("/rule-kinds").get("kinds").size()).isGreaterThan(20);
        JsonNode tried = post(
                        "/rule-sets/try",
                        "{\"network\":\"OTHER\",\"xml\":\"<oai_dc:dc xmlns:oai_dc='http://www.openarchives.org/OAI/2.0/oai_dc/'/>\"}")
                .json();
        assertThat(tried.get("valid").asBoolean()).as(tried.toString()).isFalse();
    }

    @Test
    void the_text_of_files_is_found_and_goes_with_their_network() throws Exception {
        HttpServer site = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 10);
        site.createContext("/", exchange -> {
            // Longer than what is kept, which ends in the middle of a character.
            byte[] text = ("About the axolotl and nothing else." + " ".repeat(1_999_964) + "😀")
                    .getBytes(StandardCharsets.UTF_8);
            boolean there = exchange.getRequestURI().getPath().equals("/bitstream/7.txt");
            exchange.getResponseHeaders().set("Content-Type", "text/plain");
            exchange.sendResponseHeaders(there ? 200 : 404, there ? text.length : -1);
            exchange.getResponseBody().write(there ? text : new byte[0]);
            exchange.close();
        });
        site.start();
        try {
            String files = "http://127.0.0.1:" + site.getAddress().getPort() + "/bitstream/";
            source.misbehave(Mischief.onPage(
                    1,
                    Mischief.text(xml ->
                            xml.replaceAll("https://repository.example/handle/1000/([78])<", files + "$1.txt<"))));
            assertThat(post("/networks", network(",\"properties\":{\"INDEX_FRONTEND\":true,\"INDEX_FULLTEXT\":true}"))
                            .status())
                    .isEqualTo(201);

            run("{}");

            Bitstreams bitstreams = context.getBean(Bitstreams.class);
            assertThat(bitstreams.counts(1)).isEqualTo(Map.of(BitstreamState.READ, 1L, BitstreamState.FAILED, 1L));
            assertThat(get("/search?q=axolotl").get("total").asInt()).isEqualTo(1);
            assertThat(get("/search?q=").get("total").asInt()).isEqualTo(250);

            send("DELETE", "/api/v1/networks/A%3AB%2A", "", ADMIN);
            Awaitility.await()
                    .atMost(Duration.ofSeconds(60))
                    .until(() -> context.getBean(Networks.class).find("A:B*").isEmpty());
            assertThat(bitstreams.counts(1)).isEmpty();
            assertThat(folder.resolve("bitstreams").resolve("1")).doesNotExist();
        } finally {
            site.stop(0);
        }
    }

    @Test
    void addresses_that_records_name_are_asked_by_a_run_of_their_own() throws Exception {
        HttpServer site = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 10);
        Set<String> asked = ConcurrentHashMap.newKeySet();
        site.createContext("/", exchange -> {
            asked.add(exchange.getRequestMethod() + " " + exchange.getRequestURI());
            boolean there = exchange.getRequestURI().getPath().equals("/there");
            boolean head = exchange.getRequestMethod().equals("HEAD");
            exchange.sendResponseHeaders(head ? 405 : there ? 200 : 404, -1);
            exchange.close();
        });
        site.start();
        try {
            String base = "http://127.0.0.1:" + site.getAddress().getPort();
            var tables =
                    org.springframework.jdbc.core.simple.JdbcClient.create(context.getBean(javax.sql.DataSource.class));
            for (String path : List.of("/there", "/gone")) {
                tables.sql("insert into turno_url (url_hash, url, state) values (?, ?, 'UNKNOWN')")
                        .params(path, base + path)
                        .update();
            }
            Turno turno = context.getBean(Turno.class);
            turno.runs().submit(RunRequest.of("check-urls").on("URLS")).orThrow();
            Awaitility.await()
                    .atMost(Duration.ofSeconds(60))
                    .until(() -> turno.runs().lastDone("check-urls", "URLS").isPresent());

            assertThat(tables.sql("select state from turno_url order by url")
                            .query(String.class)
                            .list())
                    .containsExactly("MISSING", "EXISTS");
            assertThat(asked).contains("HEAD /there", "GET /there", "GET /gone");
        } finally {
            site.stop(0);
        }
    }
}
