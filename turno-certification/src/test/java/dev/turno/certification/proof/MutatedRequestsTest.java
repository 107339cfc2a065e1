package dev.turno.certification.proof;

import static dev.turno.certification.proof.Client.HTTP;
import static dev.turno.certification.proof.Client.LEGACY;
import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.classic.spi.IThrowableProxy;
import ch.qos.logback.core.AppenderBase;
import dev.turno.certification.authority.SampleWorkers;
import dev.turno.certification.calendar.CalendarSource;
import dev.turno.certification.calendar.Calendars;
import dev.turno.certification.calendar.Day;
import dev.turno.testkit.database.FreshDatabase;
import dev.turno.testkit.database.TestDatabase;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;
import org.slf4j.LoggerFactory;
import org.springframework.context.ConfigurableApplicationContext;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Requests with something broken in them: only answers of the contract come back, and nothing personal reaches the log. */
@Tag("security")
@Isolated // it reads the log of the whole process
class MutatedRequestsTest {

    private static final int REQUESTS = Scale.of(3_000, 10_000);
    private static final int PEOPLE = 50;
    private static final Set<String> CODES =
            Set.of("400", "532", "901", "902", "903", "904", "911", "912", "913", "914", "915", "916");
    private static final String[] TOKENS = {
        "null",
        "true",
        "[]",
        "{}",
        "-1",
        "1e999999999",
        "1E400",
        "NaN",
        "\"\"",
        "\"\\ud800\"",
        "\"\\u0000\"",
        "\"💥\"",
        "9223372036854775808",
        "\"<script>\"",
        "\"' or 1=1 --\"",
        "[[[[[[[[[[]]]]]]]]]]",
        "0.1",
        "\"" + "x".repeat(3_000) + "\""
    };
    private static final JsonMapper JSON = JsonMapper.builder().build();

    private final Queue<String> log = new ConcurrentLinkedQueue<>();

    /** Keeps every line, exceptions included. */
    private final class Keeper extends AppenderBase<ILoggingEvent> {

        @Override
        protected void append(ILoggingEvent event) {
            StringBuilder line = new StringBuilder(event.getLoggerName() + " " + event.getFormattedMessage());
            for (IThrowableProxy one = event.getThrowableProxy(); one != null; one = one.getCause()) {
                line.append(" | ").append(one.getClassName()).append(' ').append(one.getMessage());
            }
            log.add(line.toString());
        }
    }

    @Test
    void mutated_requests_get_only_answers_of_the_contract_and_leave_nothing_personal_in_the_log() throws Exception {
        Logger root = (Logger) LoggerFactory.getLogger(org.slf4j.Logger.ROOT_LOGGER_NAME);
        Keeper keeper = new Keeper();
        try (FreshDatabase database = TestDatabase.H2.fresh();
                ConfigurableApplicationContext node = CertificationNode.start(List.of(
                        "--spring.datasource.url=" + database.url(),
                        "--spring.datasource.username=" + database.user(),
                        "--spring.datasource.password=" + database.password(),
                        "--logging.level.dev.turno=debug",
                        "--logging.level.root=info",
                        "--turno.certification.check-digits-warn-only=530",
                        "--turno.certification.sample-workers=" + PEOPLE))) {
            keeper.setContext(root.getLoggerContext());
            keeper.start();
            root.addAppender(keeper);
            root.setLevel(Level.INFO);
            Calendars calendars = node.getBean(Calendars.class);
            calendars.put(new Day(CalendarSource.CONSAR, calendars.today(), true, "test", ""));

            Map<String, Integer> tally = run(new Client(CertificationNode.port(node)));

            System.out.println("PROOF certification mutated: " + tally + ", " + log.size() + " log lines");
            assertThat(tally.keySet()).allMatch(MutatedRequestsTest::isOfTheContract);
            assertThat(tally).containsKeys("200 400", "200 904", "400 904", "422 904");
            List<String> personal = personal();
            assertThat(log).noneMatch(line -> personal.stream().anyMatch(line::contains));
            assertThat(log).as("the search itself sees the log").anyMatch(line -> line.contains("dígito verificador"));
        } finally {
            root.detachAppender(keeper);
            root.setLevel(Level.WARN);
        }
    }

    private static boolean isOfTheContract(String told) {
        String[] parts = told.split(" ", -1);
        boolean forbidden = told.startsWith("403");
        return forbidden || (Set.of("200", "400", "409", "422").contains(parts[0]) && CODES.contains(parts[1]));
    }

    private static Map<String, Integer> run(Client client) throws Exception {
        ExecutorService threads = Executors.newFixedThreadPool(8);
        try {
            List<Callable<String>> all = new ArrayList<>();
            for (int i = 0; i < REQUESTS; i++) {
                int number = i;
                all.add(() -> told(client.send(
                        "POST", number % 2 == 0 ? LEGACY : HTTP, "afore-530", mutated(new Random(number), number))));
            }
            Map<String, Integer> tally = new TreeMap<>();
            for (Future<String> one : threads.invokeAll(all)) {
                tally.merge(one.get(), 1, Integer::sum);
            }
            return tally;
        } finally {
            threads.shutdownNow();
        }
    }

    private static String told(HttpResponse<String> response) {
        JsonNode body = JSON.readTree(response.body());
        return response.statusCode() + " " + body.path("diagnosticoProcesar").asString("");
    }

    /** One in ten stays whole. */
    private static byte[] mutated(Random random, int number) {
        Map<String, String> fields = SampleWorkers.request(random.nextInt(PEOPLE), "F-" + number, "530");
        List<String> names = new ArrayList<>(fields.keySet());
        String field = names.get(random.nextInt(names.size()));
        String json = Client.json(fields);
        byte[] bytes = json.getBytes(StandardCharsets.UTF_8);
        return switch (random.nextInt(10)) {
            case 0 -> bytes;
            case 1 -> withByte(bytes, random);
            case 2 -> java.util.Arrays.copyOf(bytes, random.nextInt(bytes.length));
            case 3 -> json.getBytes(StandardCharsets.UTF_16);
            case 4 -> json.getBytes(StandardCharsets.ISO_8859_1);
            case 5 -> replaced(json, field, TOKENS[random.nextInt(TOKENS.length)]);
            case 6 -> json.replace("\"" + field + "\"", "\"nss\"").getBytes(StandardCharsets.UTF_8);
            case 7 -> (json + json).getBytes(StandardCharsets.UTF_8);
            case 8 -> withCharacter(fields, field, random);
            default -> ("[".repeat(random.nextInt(2_000)) + json).getBytes(StandardCharsets.UTF_8);
        };
    }

    private static byte[] withByte(byte[] bytes, Random random) {
        bytes[random.nextInt(bytes.length)] = (byte) random.nextInt(256);
        return bytes;
    }

    private static byte[] replaced(String json, String field, String token) {
        return json.replaceFirst(
                        "\"" + field + "\":(\"[^\"]*\"|[0-9]+)",
                        java.util.regex.Matcher.quoteReplacement("\"" + field + "\":" + token))
                .getBytes(StandardCharsets.UTF_8);
    }

    private static byte[] withCharacter(Map<String, String> fields, String field, Random random) {
        String value = fields.getOrDefault(field, "");
        if (!value.isEmpty()) {
            int at = random.nextInt(value.length());
            fields.put(field, value.substring(0, at) + (char) ('0' + random.nextInt(10)) + value.substring(at + 1));
        }
        return Client.json(fields).getBytes(StandardCharsets.UTF_8);
    }

    /** What must not be found: numbers and names of everybody. */
    private static List<String> personal() {
        List<String> all = new ArrayList<>();
        for (int number = 0; number < PEOPLE; number++) {
            Map<String, String> fields = SampleWorkers.request(number, "F", "530");
            all.add(fields.getOrDefault("nss", ""));
            all.add(fields.getOrDefault("curp", ""));
            all.add(fields.getOrDefault("selloTrabajador", ""));
            all.add(fields.getOrDefault("apellidoPaterno", ""));
        }
        return all;
    }
}
