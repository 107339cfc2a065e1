package dev.turno.certification.proof;

import static dev.turno.certification.proof.Client.HTTP;
import static dev.turno.certification.proof.Client.LEGACY;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.turno.certification.calendar.CalendarSource;
import dev.turno.certification.calendar.Calendars;
import dev.turno.certification.calendar.Day;
import dev.turno.certification.sql.Sql;
import dev.turno.testkit.database.FreshDatabase;
import dev.turno.testkit.database.TestDatabase;
import dev.turno.testkit.process.ChildProcess;
import dev.turno.testkit.process.Launch;
import java.net.http.HttpClient;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.IntFunction;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.parallel.Isolated;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.jdbc.core.simple.JdbcClient;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Three processes on one PostgreSQL, called over HTTP at once, and killed. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Isolated // four processes are enough for a machine
class ManyProcessesTest {

    private static final JsonMapper JSON = JsonMapper.builder().build();
    private static final int AT_ONCE = 200;
    private static final int WORKERS = 400;
    private static final Duration START = Duration.ofSeconds(90);
    private static final Duration SOON = Duration.ofSeconds(40);

    private final FreshDatabase database = TestDatabase.POSTGRESQL.freshOnServer();
    private final FreshDatabase asking = TestDatabase.POSTGRESQL.freshOnServer();
    private final Validator validator = new Validator();
    private final List<ChildProcess> nodes = new ArrayList<>();
    private final HttpClient http =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
    private final List<ConfigurableApplicationContext> contexts = new ArrayList<>();
    private List<Client> embedded = List.of();
    private List<Client> outside = List.of();

    /** This process is one of the three: a node in it starts sooner than another process. */
    @BeforeAll
    void start() {
        openToday(database);
        openToday(asking);
        ChildProcess victim = node(asking, validated());
        List<ChildProcess> others = List.of(node(database, people()), node(database, people()));
        ConfigurableApplicationContext own = here(database, people());
        ConfigurableApplicationContext survivor = here(asking, validated());
        embedded = List.of(client(own), client(others.get(0)), client(others.get(1)));
        outside = List.of(client(victim), client(survivor));
    }

    /** Before the nodes look for the first time: they would notice it only after five seconds. */
    private static void openToday(FreshDatabase on) {
        Sql sql = new Sql(on.dataSource());
        sql.createTables();
        Calendars calendars = new Calendars(sql, Map.of("P00020", CalendarSource.CONSAR));
        LocalDate today = calendars.today();
        Stream.of(today, today.plusDays(1))
                .forEach(day -> calendars.put(new Day(CalendarSource.CONSAR, day, true, "test", "")));
    }

    private ConfigurableApplicationContext here(FreshDatabase on, String... properties) {
        ConfigurableApplicationContext context = CertificationNode.start(
                Stream.concat(usual(on), Stream.of(properties)).toList());
        contexts.add(context);
        return context;
    }

    private Client client(ConfigurableApplicationContext context) {
        return new Client(CertificationNode.port(context), http);
    }

    private static String[] people() {
        return new String[] {"--turno.certification.sample-workers=" + WORKERS};
    }

    private ChildProcess node(FreshDatabase on, String... properties) {
        ChildProcess node = Launch.main(CertificationNode.class)
                .jvmOptions("-Xmx256m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1") // they start in half the time
                .arguments(usual(on).toArray(String[]::new))
                .arguments(properties)
                .start();
        nodes.add(node);
        return node;
    }

    private Stream<String> usual(FreshDatabase on) {
        return Stream.of(
                "--spring.datasource.url=" + on.url(),
                "--spring.datasource.username=" + on.user(),
                "--spring.datasource.password=" + on.password(),
                "--turno.certification.notification.url=" + validator.noticeUrl(),
                "--turno.certification.notification.secret=whsec_MDEyMzQ1Njc4OTAxMjM0NTY3ODkwMTIz");
    }

    private String[] validated() {
        return new String[] {
            "--lock.timeout.seconds=3",
            "--lock.retry.max=19", // ten seconds
            "--turno.certification.authority.timeout=2900ms",
            "--turno.certification.authority.url=" + validator.url()
        };
    }

    private Client client(ChildProcess node) {
        String line = node.awaitLine(text -> text.startsWith(CertificationNode.READY), START);
        return new Client(Integer.parseInt(line.substring(CertificationNode.READY.length())), http);
    }

    @AfterAll
    void close() {
        nodes.forEach(ChildProcess::close);
        contexts.forEach(ConfigurableApplicationContext::close);
        validator.close();
        database.close();
        asking.close();
    }

    private static String told(HttpResponse<String> response) {
        JsonNode body = JSON.readTree(response.body());
        return response.statusCode() + " " + body.path("diagnosticoProcesar").asString("")
                + (response.headers().firstValue("Idempotent-Replayed").isPresent() ? " replayed" : "");
    }

    private Map<String, Integer> allAtOnce(IntFunction<String> bodies) {
        List<CompletableFuture<HttpResponse<String>>> sent = IntStream.range(0, AT_ONCE)
                .mapToObj(i -> embedded.get(i % embedded.size()).postAsync(LEGACY, bodies.apply(i)))
                .toList();
        Map<String, Integer> tally = new TreeMap<>();
        sent.forEach(answer -> tally.merge(told(answer.join()), 1, Integer::sum));
        return tally;
    }

    private static int count(FreshDatabase on, String sql) {
        return JdbcClient.create(on.dataSource()).sql(sql).query(Integer.class).single();
    }

    private long notices(String folio) {
        return validator.notices.stream()
                .filter(notice -> notice.body().contains("\"folioTramiteProcesar\":\"" + folio + "\""))
                .count();
    }

    @Test
    void two_hundred_identical_requests_at_once_are_one_execution_and_one_notification() {
        Map<String, Integer> tally = allAtOnce(i -> Client.body(1, "SAME"));

        System.out.println("PROOF certification identical: " + tally);
        assertThat(tally).containsEntry("200 400", 1);
        assertThat(tally.keySet()).isSubsetOf("200 400", "200 400 replayed", "200 901");
        assertThat(tally.values().stream().mapToInt(n -> n).sum()).isEqualTo(AT_ONCE);
        assertThat(count(database, "select count(*) from turno_certification where folio = 'SAME'"))
                .isEqualTo(1);
        await().atMost(SOON).until(() -> notices("SAME") == 1);
        await().during(Duration.ofSeconds(1)).atMost(SOON).until(() -> notices("SAME") == 1);
    }

    @Test
    void two_hundred_different_requests_at_once_are_two_hundred_executions() {
        List<Integer> workers = IntStream.range(100, WORKERS)
                .filter(number -> number % 10 <= 6)
                .limit(AT_ONCE)
                .boxed()
                .toList();

        Map<String, Integer> tally = allAtOnce(i -> Client.body(workers.get(i), "DIFFERENT-" + i));

        System.out.println("PROOF certification different: " + tally);
        assertThat(tally).containsExactly(Map.entry("200 400", AT_ONCE));
        assertThat(count(database, "select count(*) from turno_certification where folio like 'DIFFERENT-%'"))
                .isEqualTo(AT_ONCE);
        await().atMost(SOON).until(() -> IntStream.range(0, AT_ONCE).allMatch(i -> notices("DIFFERENT-" + i) == 1));
    }

    @Test
    void killed_between_the_call_and_the_commit_it_is_ambiguous_never_sent_again_and_reconciled() throws Exception {
        ChildProcess victim = nodes.get(0);
        validator.delays.put("KILLED", 30_000L);
        validator.silent.add("KILLED");
        String body = Client.body(2, "KILLED");
        CompletableFuture<HttpResponse<String>> first = outside.get(0).postAsync(HTTP, body);
        await().atMost(SOON).until(() -> validator.asked.contains("KILLED"));

        victim.kill9();

        assertThatThrownBy(first::join).isInstanceOf(CompletionException.class);
        List<String> seen = new ArrayList<>();
        await().atMost(SOON).pollInterval(Duration.ofMillis(200)).until(() -> {
            seen.add(told(outside.get(1).post(HTTP, body)));
            return seen.contains("202 906");
        });
        validator.silent.remove("KILLED");
        await().atMost(SOON).pollInterval(Duration.ofMillis(200)).until(() -> {
            seen.add(told(outside.get(1).post(HTTP, body)));
            return seen.contains("200 400 replayed");
        });
        System.out.println(
                "PROOF certification killed: " + seen.stream().distinct().toList());
        assertThat(seen.stream().distinct()).isSubsetOf("409 901", "202 906", "200 400 replayed");
        assertThat(validator.asked.stream().filter("KILLED"::equals)).hasSize(1);
        await().atMost(SOON).until(() -> notices("KILLED") == 1);
    }

    @Test
    void a_repetition_after_the_callers_timeout_is_replayed() throws Exception {
        validator.delays.put("SLOW", 700L);
        String body = Client.body(3, "SLOW");
        CompletableFuture<HttpResponse<String>> first = outside.get(1).postAsync(LEGACY, body);
        await().atMost(SOON).until(() -> validator.asked.contains("SLOW"));
        first.cancel(true);

        String again = told(outside.get(1).post(LEGACY, body));

        assertThat(again).isEqualTo("200 400 replayed");
        assertThat(validator.asked.stream().filter("SLOW"::equals)).hasSize(1);
        await().atMost(SOON).until(() -> notices("SLOW") == 1);
    }

    @Test
    void notifications_are_signed() throws Exception {
        String body = Client.body(4, "SIGNED");
        assertThat(told(outside.get(1).post(LEGACY, body))).isEqualTo("200 400");
        await().atMost(SOON).until(() -> notices("SIGNED") == 1);

        Validator.Notice notice = validator.notices.stream()
                .filter(one -> one.body().contains("SIGNED"))
                .findFirst()
                .orElseThrow();

        var mac = javax.crypto.Mac.getInstance("HmacSHA256");
        mac.init(new javax.crypto.spec.SecretKeySpec(
                "012345678901234567890123".getBytes(StandardCharsets.UTF_8), "HmacSHA256"));
        byte[] expected = mac.doFinal(
                (notice.id() + "." + notice.timestamp() + "." + notice.body()).getBytes(StandardCharsets.UTF_8));
        assertThat(notice.signature())
                .isEqualTo("v1," + java.util.Base64.getEncoder().encodeToString(expected));
    }
}
