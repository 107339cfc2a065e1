package dev.turno.certification.proof;

import static dev.turno.certification.proof.Client.HTTP;
import static dev.turno.certification.proof.Client.LEGACY;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.turno.certification.authority.SampleWorkers;
import dev.turno.certification.calendar.CalendarHealth;
import dev.turno.certification.calendar.CalendarSource;
import dev.turno.certification.calendar.Calendars;
import dev.turno.certification.http.LegacyContract;
import dev.turno.certification.wire.Answer;
import dev.turno.certification.wire.CertificationRequest;
import dev.turno.testkit.database.FreshDatabase;
import dev.turno.testkit.database.TcpProxy;
import dev.turno.testkit.database.TestDatabase;
import jakarta.servlet.http.HttpServletResponse;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.support.GenericApplicationContext;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.mock.web.MockHttpServletRequest;
import org.springframework.mock.web.MockHttpServletResponse;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Every row of the table of codes, over HTTP, in both profiles: one service with the embedded authority, one with a validator. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class CodeTableTest {

    private static final JsonMapper JSON = JsonMapper.builder().build();
    private static final Duration SOON = Duration.ofSeconds(30);

    private final FreshDatabase database = TestDatabase.POSTGRESQL.freshOnServer();
    private final FreshDatabase other = TestDatabase.H2.fresh();
    private final TcpProxy network = TcpProxy.to(database.port());
    private final Validator validator = new Validator();
    private ConfigurableApplicationContext embedded = new GenericApplicationContext();
    private ConfigurableApplicationContext outside = new GenericApplicationContext();
    private Client client = new Client(0);
    private Client asking = new Client(0);
    private int next;

    @BeforeAll
    void start() {
        embedded = CertificationNode.start(properties(database, database.urlThrough(network.port())));
        outside = CertificationNode.start(List.of(
                "--spring.datasource.url=" + other.url(),
                "--spring.datasource.username=" + other.user(),
                "--spring.datasource.password=" + other.password(),
                "--lock.timeout.seconds=4",
                "--turno.certification.authority.timeout=2500ms",
                "--turno.certification.authority.url=" + validator.url(),
                "--turno.certification.legacy.codes.in-flight=532"));
        client = new Client(CertificationNode.port(embedded));
        asking = new Client(CertificationNode.port(outside));
    }

    private static List<String> properties(FreshDatabase database, String url) {
        return List.of(
                "--spring.datasource.url=" + url,
                "--spring.datasource.username=" + database.user(),
                "--spring.datasource.password=" + database.password(),
                "--spring.datasource.hikari.connection-timeout=2000",
                "--turno.certification.sample-workers=200");
    }

    @BeforeEach
    void openToday() throws Exception {
        openToday(client, true);
        openToday(asking, true);
    }

    @AfterAll
    void close() {
        embedded.close();
        outside.close();
        network.close();
        validator.close();
        database.close();
        other.close();
    }

    private void openToday(Client to, boolean open) throws Exception {
        String today = embedded.getBean(Calendars.class).today().toString();
        HttpResponse<String> put = to.send(
                "PUT",
                "/v1/calendario/CONSAR/" + today,
                "operator",
                ("{\"habil\":" + open + ",\"motivo\":\"prueba\",\"referencia\":\"X\"}")
                        .getBytes(StandardCharsets.UTF_8));
        assertThat(put.statusCode()).isEqualTo(200);
    }

    /** A worker with a right to the benefit whom no other test has asked for. */
    private int worker() {
        next++;
        while (next % 10 > 6) {
            next++;
        }
        return next;
    }

    private static String told(HttpResponse<String> response) {
        JsonNode body = JSON.readTree(response.body());
        return response.statusCode() + " " + body.path("resultadoOperacion").asString("") + "/"
                + body.path("diagnosticoProcesar").asString("");
    }

    private static String header(HttpResponse<String> response, String name) {
        return response.headers().firstValue(name).orElse("");
    }

    @Test
    void a_single_request_is_accepted_with_strings_only() throws Exception {
        String body = Client.body(worker(), "S-1");

        HttpResponse<String> answer = client.post(LEGACY, body);

        assertThat(told(answer)).isEqualTo("200 01/400");
        assertThat(header(answer, "Content-Type")).startsWith("application/json");
        assertThat(header(answer, "Idempotent-Replayed")).isEmpty();
        JsonNode json = JSON.readTree(answer.body());
        assertThat(json.properties()).allMatch(field -> field.getValue().isString());
        assertThat(json.get("selloTrabajador").asString())
                .isEqualTo(JSON.readTree(body).get("selloTrabajador").toString());
        assertThat(json.get("fechaNotificacionImss").asString()).matches("[0-9]{4}/[0-9]{2}/[0-9]{2}");
        assertThat(told(client.post(HTTP, Client.body(worker(), "S-2")))).isEqualTo("200 01/400");
    }

    @Test
    void the_contract_of_old_is_answered_whatever_the_caller_says_it_sends_and_accepts() throws Exception {
        for (String accept : List.of("application/xml", "garbage", "text/html;q=0.1")) {
            assertThat(told(client.post(LEGACY, Client.body(worker(), "Q-" + next), "Accept", accept)))
                    .isEqualTo("200 01/400");
        }
    }

    @Test
    void a_rule_rejects() throws Exception {
        assertThat(told(client.post(LEGACY, Client.body(7, "R-1")))).isEqualTo("200 02/913");
        assertThat(told(client.post(HTTP, Client.body(17, "R-2")))).isEqualTo("200 02/913");
    }

    @Test
    void a_finished_duplicate_gets_the_stored_answer_in_either_profile() throws Exception {
        String body = Client.body(worker(), "D-1");
        HttpResponse<String> first = client.post(LEGACY, body);

        for (String path : List.of(LEGACY, HTTP)) {
            HttpResponse<String> again = client.post(path, body);
            assertThat(again.body()).isEqualTo(first.body());
            assertThat(again.statusCode()).isEqualTo(200);
            assertThat(header(again, "Idempotent-Replayed")).isEqualTo("true");
        }
    }

    @Test
    void a_duplicate_in_flight_waits_and_is_told_901_and_another_of_the_worker_too() throws Exception {
        validator.delays.put("W-1", 500L);
        int worker = worker();
        CompletableFuture<HttpResponse<String>> first = asking.postAsync(HTTP, Client.body(worker, "W-1"));
        await().atMost(SOON).until(() -> validator.asked.contains("W-1"));

        HttpResponse<String> waited = asking.post(HTTP, Client.body(worker, "W-1"));
        assertThat(told(waited)).isEqualTo("200 01/400");
        assertThat(header(waited, "Idempotent-Replayed")).isEqualTo("true");
        assertThat(told(first.get())).isEqualTo("200 01/400");

        // Held for longer than anybody waits.
        try (var lock = held(worker + 1)) {
            assertThat(lock).isNotNull();
            HttpResponse<String> busy = asking.post(HTTP, Client.body(worker + 1, "W-2"));
            assertThat(told(busy)).isEqualTo("409 /901");
            assertThat(header(busy, "Retry-After")).matches("[1-9][0-9]*");
            assertThat(header(busy, "Content-Type")).startsWith("application/problem+json");
            HttpResponse<String> compatible = asking.post(LEGACY, Client.body(worker + 1, "W-2"));
            assertThat(told(compatible)).as("switched to the seed's code").isEqualTo("200 02/532");
            assertThat(header(compatible, "Retry-After")).isNotEmpty();
        }
    }

    /** The lock of a worker whom nobody has asked for before: the first request adds it. Others are taken meanwhile, by the reconciler. */
    private dev.turno.lock.Lease held(int worker) throws Exception {
        validator.statuses.put("H-" + worker, 503);
        Set<String> before = locks(other);
        assertThat(told(asking.post(LEGACY, Client.body(worker, "H-" + worker))))
                .isEqualTo("200 02/905");
        Set<String> added = locks(other);
        added.removeAll(before);
        assertThat(added).hasSize(1);
        return outside.getBean(dev.turno.lock.Locks.class)
                .tryTake(added.iterator().next())
                .orElseThrow();
    }

    private static Set<String> locks(FreshDatabase on) {
        return new HashSet<>(JdbcClient.create(on.dataSource())
                .sql("select name from turno_lock where name like 'certification:%'")
                .query(String.class)
                .list());
    }

    @Test
    void by_default_a_duplicate_in_flight_is_901_in_the_legacy_profile() throws Exception {
        int worker = worker();
        assertThat(told(client.post(LEGACY, Client.body(worker, "L-1")))).isEqualTo("200 01/400");
        String name = JdbcClient.create(database.dataSource())
                .sql("select name from turno_lock where name like 'certification:%' order by taken_at desc limit 1")
                .query(String.class)
                .single();
        try (var lock =
                embedded.getBean(dev.turno.lock.Locks.class).tryTake(name).orElseThrow()) {
            assertThat(lock.fence()).isPositive();
            assertThat(told(client.post(LEGACY, Client.body(worker, "L-2")))).isEqualTo("200 02/901");
        }
    }

    @Test
    void other_content_under_the_same_folio_or_key_is_902() throws Exception {
        int worker = worker();
        assertThat(told(client.post(LEGACY, Client.body(worker, "O-1"), "Idempotency-Key", "k-1")))
                .isEqualTo("200 01/400");

        assertThat(told(client.post(LEGACY, Client.body(worker(), "O-1")))).isEqualTo("200 02/902");
        assertThat(told(client.post(HTTP, Client.body(worker(), "O-1")))).isEqualTo("422 /902");
        assertThat(told(client.post(HTTP, Client.body(worker, "O-2"), "Idempotency-Key", "k-1")))
                .isEqualTo("422 /902");
    }

    @Test
    void on_a_day_that_is_no_business_day_the_next_one_is_told_and_a_finished_one_is_replayed() throws Exception {
        String done = Client.body(worker(), "N-1");
        assertThat(told(client.post(LEGACY, done))).isEqualTo("200 01/400");
        openToday(client, false);
        String today = embedded.getBean(Calendars.class).today().toString();
        String nextDay = JSON.readTree(client.get("/v1/calendario/CONSAR/" + today + "/siguiente")
                        .body())
                .get("fecha")
                .asString();

        HttpResponse<String> legacy = client.post(LEGACY, Client.body(worker(), "N-2"));
        assertThat(told(legacy)).isEqualTo("200 02/532");
        assertThat(JSON.readTree(legacy.body()).properties()).hasSize(3);
        assertThat(header(legacy, "X-Siguiente-Dia-Habil")).isEqualTo(nextDay);
        HttpResponse<String> http = client.post(HTTP, Client.body(worker(), "N-3"));
        assertThat(told(http)).isEqualTo("200 02/903");
        assertThat(header(http, "X-Siguiente-Dia-Habil")).isEqualTo(nextDay);
        assertThat(header(client.post(LEGACY, done), "Idempotent-Replayed")).isEqualTo("true");
    }

    @Test
    void what_cannot_be_read_or_is_wrong_is_904_with_the_names_of_the_fields() throws Exception {
        Map<String, String> wrong = SampleWorkers.request(worker(), "M-1", "530");
        wrong.put("nss", "12345678901");
        wrong.put("origen", "");

        assertThat(told(client.post(LEGACY, "{"))).isEqualTo("200 02/904");
        assertThat(told(client.post(HTTP, "{"))).isEqualTo("400 /904");
        assertThat(told(client.post(LEGACY, Client.json(wrong)))).isEqualTo("200 02/904");
        HttpResponse<String> problem = client.post(HTTP, Client.json(wrong));
        assertThat(told(problem)).isEqualTo("422 /904");
        assertThat(problem.body()).contains("\"field\":\"origen\"").doesNotContain("12345678901");
        wrong.put("origen", "1");
        assertThat(client.post(HTTP, Client.json(wrong)).body()).contains("\"field\":\"nss\"", "dígito verificador");
        assertThat(told(client.post(HTTP, Client.body(worker(), "M-2"), "Idempotency-Key", "x".repeat(201))))
                .isEqualTo("422 /904");
        assertThat(told(client.post(LEGACY, "x".repeat(40_000)))).isEqualTo("200 02/904");
    }

    @Test
    void while_the_database_is_away_905_and_afterwards_all_is_well() throws Exception {
        String body = Client.body(worker(), "A-1");
        network.reset();
        try {
            HttpResponse<String> legacy = client.post(LEGACY, body);
            assertThat(told(legacy)).isEqualTo("200 02/905");
            assertThat(header(legacy, "Retry-After")).isNotEmpty();
            HttpResponse<String> http = client.post(HTTP, body);
            assertThat(http.statusCode()).isEqualTo(503);
            assertThat(header(http, "Content-Type")).startsWith("application/problem+json");
            assertThat(header(http, "Retry-After")).isNotEmpty();
        } finally {
            network.pass();
        }
        await().atMost(SOON).until(() -> told(client.post(LEGACY, body)).equals("200 01/400"));
    }

    @Test
    void a_validator_that_is_down_is_905_and_may_be_asked_again() throws Exception {
        String body = Client.body(worker(), "V-1");
        validator.statuses.put("V-1", 503);
        assertThat(told(asking.post(LEGACY, body))).isEqualTo("200 02/905");
        HttpResponse<String> http = asking.post(HTTP, body);
        assertThat(told(http)).isEqualTo("503 /905");
        assertThat(header(http, "Retry-After")).isNotEmpty();

        validator.statuses.remove("V-1");

        assertThat(told(asking.post(LEGACY, body))).isEqualTo("200 01/400");
        assertThat(asking.post(LEGACY, body).body()).doesNotContain("extra");
    }

    @Test
    void a_validator_that_does_not_answer_leaves_906_and_the_folio_tells_what_became_of_it() throws Exception {
        validator.delays.put("U-1", 30_000L);
        validator.silent.add("U-1");
        int worker = worker();
        String body = Client.body(worker, "U-1");

        HttpResponse<String> unknown = asking.post(HTTP, body);

        assertThat(told(unknown)).isEqualTo("202 02/906");
        assertThat(told(asking.post(LEGACY, body))).isEqualTo("200 02/906");
        String location = header(unknown, "Location");
        assertThat(told(asking.get(location))).isEqualTo("202 02/906");
        assertThat(asking.send("GET", location, "afore-531", new byte[0]).statusCode())
                .isEqualTo(404);
        assertThat(told(asking.post(HTTP, Client.body(worker, "U-2"))))
                .as("the guard stands")
                .isEqualTo("409 /901");
        validator.silent.remove("U-1");
        await().atMost(SOON).until(() -> told(asking.get(location)).equals("200 01/400"));
        assertThat(header(asking.post(LEGACY, body), "Idempotent-Replayed")).isEqualTo("true");
        assertThat(validator.asked.stream().filter("U-1"::equals)).hasSize(1);
    }

    @Test
    void a_validator_that_stops_in_the_middle_of_its_answer_is_not_waited_for() throws Exception {
        validator.stalls.put("T-1", 30_000L);
        long start = System.nanoTime();

        assertThat(told(asking.post(HTTP, Client.body(worker(), "T-1")))).isEqualTo("202 02/906");

        assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(Duration.ofSeconds(20));
    }

    @Test
    void an_answer_that_is_longer_than_any_of_the_contract_is_not_read() throws Exception {
        String longer = Validator.ACCEPTED.replace("\"x\"", '"' + "x".repeat(1_000_000) + '"');
        validator.says.put("B-1", longer);

        assertThat(told(asking.post(HTTP, Client.body(worker(), "B-1")))).isEqualTo("202 02/906");
    }

    @Test
    void an_answer_that_decides_nothing_is_not_kept() throws Exception {
        String body = Client.body(worker(), "E-1");
        validator.says.put("E-1", Validator.ACCEPTED.replace("01", "02").replace("400", "999"));
        assertThat(told(asking.post(HTTP, body))).isEqualTo("202 02/906");

        validator.answers.put("E-1", Validator.ACCEPTED);

        await().atMost(SOON).until(() -> told(asking.post(HTTP, body)).equals("200 01/400"));
        assertThat(validator.asked.stream().filter("E-1"::equals)).hasSize(1);
    }

    @Test
    void an_answer_about_somebody_else_is_given_to_nobody() throws Exception {
        String another = SampleWorkers.request(worker(), "P-1", "530").getOrDefault("nss", "");
        validator.says.put("P-1", Validator.ACCEPTED.replace("\"extra\":\"x\"", "\"nss\":\"" + another + '"'));
        validator.says.put("P-2", Validator.ACCEPTED.replace("\"extra\":\"x\"", "\"claveAdminActual\":\"531\""));

        HttpResponse<String> answer = asking.post(HTTP, Client.body(worker(), "P-1"));

        assertThat(told(answer)).isEqualTo("202 02/906");
        assertThat(answer.body()).doesNotContain(another);
        assertThat(told(asking.post(LEGACY, Client.body(worker(), "P-2")))).isEqualTo("200 02/906");
    }

    @Test
    void a_validator_that_says_there_already_may_have_done_it() throws Exception {
        String body = Client.body(worker(), "Z-1");
        validator.statuses.put("Z-1", 409);
        validator.silent.add("Z-1"); // else it would deny it before long, and be asked again

        assertThat(told(asking.post(HTTP, body))).isEqualTo("202 02/906");
        assertThat(told(asking.post(HTTP, body))).isEqualTo("202 02/906");

        assertThat(validator.asked.stream().filter("Z-1"::equals)).hasSize(1);
    }

    @ParameterizedTest
    @CsvSource({"429, 905", "503, 905", "413, 904", "500, 999"})
    void what_is_refused_before_the_service_sees_it_is_told_in_the_words_of_the_contract(int status, String code)
            throws Exception {
        MockHttpServletResponse response = new MockHttpServletResponse();

        new LegacyContract(Map.of())
                .doFilter(
                        new MockHttpServletRequest("POST", LEGACY),
                        response,
                        (request, answer) -> ((HttpServletResponse) answer).setStatus(status));

        assertThat(response.getStatus()).isEqualTo(200);
        assertThat(response.getContentAsString())
                .isEqualTo("{\"resultadoOperacion\":\"02\",\"diagnosticoProcesar\":\"" + code + "\"}");
        assertThat(response.getHeader("Retry-After") != null).isEqualTo(code.equals("905"));
    }

    @Test
    void what_goes_wrong_inside_is_999_with_an_id_to_report() throws Exception {
        JdbcClient admin = JdbcClient.create(database.dataSource());
        admin.sql("alter table turno_certification_worker rename to elsewhere").update();
        try {
            HttpResponse<String> legacy = client.post(LEGACY, Client.body(worker(), "I-1"));
            assertThat(told(legacy)).isEqualTo("200 02/999");
            assertThat(header(legacy, "X-Request-Id")).isNotEmpty();
            assertThat(told(client.post(HTTP, Client.body(worker(), "I-2")))).isEqualTo("500 /999");
        } finally {
            admin.sql("alter table elsewhere rename to turno_certification_worker")
                    .update();
        }
    }

    @Tag("security")
    @Test
    void without_a_token_or_for_another_afore_nothing_is_done_in_either_profile() throws Exception {
        byte[] body = Client.body(worker(), "C-1").getBytes(StandardCharsets.UTF_8);
        for (String path : List.of(LEGACY, HTTP)) {
            assertThat(client.send("POST", path, "", body).statusCode()).isEqualTo(401);
            assertThat(client.send("POST", path, "nonsense", body).statusCode()).isEqualTo(401);
            assertThat(client.send("POST", path, "afore-531", body).statusCode())
                    .isEqualTo(403);
            assertThat(client.send("POST", path, "operator", body).statusCode()).isEqualTo(403);
        }
        assertThat(told(client.send("POST", LEGACY, "an-admin-token-for-tests-only-0123456789", body)))
                .isEqualTo("200 01/400");
    }

    @Test
    void the_calendar_answers_and_obeys_operators_alone() throws Exception {
        HttpResponse<String> day = client.get("/v1/calendario/CONSAR/2026-11-02");
        assertThat(day.body())
                .isEqualTo("{\"fuente\":\"CONSAR\",\"fecha\":\"2026-11-02\",\"habil\":true,\"motivo\":\"\"}");
        assertThat(client.get("/v1/calendario/CNBV/2026-11-02").body()).contains("\"habil\":false");
        assertThat(client.get("/v1/calendario/CONSAR/2026-12-24/siguiente").body())
                .contains("2026-12-28");
        byte[] wish = "{\"habil\":false,\"motivo\":\"elecciones\"}".getBytes(StandardCharsets.UTF_8);
        assertThat(client.send("PUT", "/v1/calendario/CNBV/2026-11-03", "afore-530", wish)
                        .statusCode())
                .isEqualTo(403);
        assertThat(client.send("PUT", "/v1/calendario/CNBV/2026-11-03", "operator", wish)
                        .statusCode())
                .isEqualTo(200);
        assertThat(client.get("/v1/calendario/CNBV/2026-11-03").body()).contains("elecciones", "\"habil\":false");
        byte[] year = "[{\"fecha\":\"2099-06-01\",\"habil\":true,\"motivo\":\"x\"}]".getBytes(StandardCharsets.UTF_8);
        assertThat(client.send("PUT", "/v1/calendario/CNBV/anio/2099", "operator", year)
                        .statusCode())
                .isEqualTo(200);
        assertThat(client.get("/v1/calendario/CNBV/2099-06-01").body()).contains("\"habil\":true");
        assertThat(client.get("/v1/calendario/BANXICO/2026-11-03").statusCode()).isBetween(400, 422);
        assertThat(client.get("/v1/calendario/CONSAR/2026-13-03").statusCode()).isBetween(400, 422);
        assertThat(client.get("/v1/calendario/CONSAR/anio/2000000000").statusCode())
                .isEqualTo(422);
        assertThat(client.get("/v1/calendario/CONSAR/+12000-01-01").statusCode())
                .isBetween(400, 422);
    }

    @Test
    void a_year_is_loaded_whole_or_not_at_all() throws Exception {
        String year = "/v1/calendario/CNBV/anio/2098";
        assertThat(load(
                        year,
                        "[{\"fecha\":\"2098-06-02\",\"habil\":false},{\"fecha\":\"2098-01-02\",\"habil\":false}]"))
                .isEqualTo(
                        "200 {\"items\":[{\"fuente\":\"CNBV\",\"fecha\":\"2098-01-02\",\"habil\":false,\"motivo\":\"\"},"
                                + "{\"fuente\":\"CNBV\",\"fecha\":\"2098-06-02\",\"habil\":false,\"motivo\":\"\"}]}");
        String before = client.get(year).body();

        String good = "{\"fecha\":\"2098-03-03\",\"habil\":false}";
        assertThat(load(year, "[" + good + "," + good + "]"))
                .startsWith("422")
                .contains("2098-03-03 aparece más de una vez", "No se cambió nada");
        assertThat(load(year, "[" + good + ",{\"fecha\":\"2097-12-31\",\"habil\":true}]"))
                .startsWith("422")
                .contains("2097-12-31 no es de 2098");
        assertThat(load(year, "[" + good + ",{\"habil\":true}]"))
                .startsWith("422")
                .contains("número 2");
        assertThat(load(year, "[" + good + ",null]")).startsWith("422").contains("número 2");
        assertThat(load(year, "[{\"fecha\":\"2098-03-03\"}]")).matches("4(00|22)(?s:.*)");
        assertThat(load(year, "[{\"fecha\":\"2098-03-03\",\"habil\":true,\"motivo\":\"" + "x".repeat(201) + "\"}]"))
                .startsWith("422");
        assertThat(load(year, "[{\"fecha\":\"2098-03-03\",\"habil\":true,\"motivo\":\"a\\u0000b\"}]"))
                .startsWith("422")
                .contains("caracteres de control");
        assertThat(load(year, "[]")).startsWith("422").contains("no tiene días");
        assertThat(load(year, "[" + good)).startsWith("400");
        assertThat(load(year, "[{\"fecha\":\"2098-02-30\",\"habil\":true}]")).startsWith("400");

        assertThat(client.get(year).body()).isEqualTo(before);
    }

    private String load(String year, String days) throws Exception {
        HttpResponse<String> answer = client.send("PUT", year, "operator", days.getBytes(StandardCharsets.UTF_8));
        return answer.statusCode() + " " + answer.body();
    }

    @Test
    void the_example_of_the_documents_is_certified_and_the_documents_know_every_field() throws Exception {
        Path docs = Path.of("..", "docs");
        String spanish = Files.readString(docs.resolve("certificacion.md"));
        String english = Files.readString(docs.resolve("certification.md"));
        String example = spanish.substring(spanish.indexOf("```json") + 7);

        assertThat(told(client.post(LEGACY, example.substring(0, example.indexOf("```")))))
                .isEqualTo("200 01/400");
        assertThat(CertificationRequest.FIELDS).allMatch(spanish::contains);
        assertThat(Answer.FIELDS).allMatch(spanish::contains);
        assertThat(List.of("901", "902", "903", "904", "905", "906", "999", "911", "916"))
                .allMatch(code -> spanish.contains(code) && english.contains(code));
    }

    @Test
    void health_warns_of_a_year_without_days() throws Exception {
        assertThat(embedded.getBean(CalendarHealth.class).health().getDetails()).containsEntry("calendar", "CONSAR");
        CalendarHealth health = new CalendarHealth(embedded.getBean(Calendars.class), CalendarSource.CNBV);
        String year = Integer.toString(
                embedded.getBean(Calendars.class).today().plusMonths(3).getYear());
        byte[] days = ("[{\"fecha\":\"" + year + "-01-02\",\"habil\":false,\"motivo\":\"x\"}]")
                .getBytes(StandardCharsets.UTF_8);

        assertThat(health.health().getDetails().toString()).contains("warning", year);
        assertThat(client.send("PUT", "/v1/calendario/CNBV/anio/" + year, "operator", days)
                        .statusCode())
                .isEqualTo(200);
        assertThat(health.health().getDetails()).doesNotContainKey("warning");
    }

    @Test
    void the_document_of_the_api_tells_of_both_profiles() throws Exception {
        String document = client.send(
                        "GET", "/api/v1/openapi.json", "an-admin-token-for-tests-only-0123456789", new byte[0])
                .body();

        assertThat(document).contains(LEGACY, HTTP, "/v1/calendario/{fuente}/{fecha}", "selloTrabajador");
    }
}
