package dev.turno.certification.proof;

import dev.turno.certification.calendar.CalendarSource;
import dev.turno.certification.calendar.Calendars;
import dev.turno.certification.calendar.Day;
import dev.turno.certification.sql.Sql;
import dev.turno.testkit.chaos.Chaos;
import dev.turno.testkit.chaos.Fault;
import dev.turno.testkit.database.TestDatabase;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.LocalDate;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.ToIntFunction;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.springframework.jdbc.core.simple.JdbcClient;

/**
 * Requests under chaos: {@code ./turno chaos --workload certification}. Each is asked for by two callers at once, again and again until it
 * is answered, while the processes of the service and their database suffer. The validator outside is never harmed, and remembers.
 */
final class Storm implements AutoCloseable {

    /**
     * What came of it; all but the first three have to be 0.
     *
     * @param askedAgain requests that the validator got more than once, under one key, after it had said that it knew nothing of them
     * @param unanswered callers that were told nothing to the end
     * @param differing requests whose callers were told different things
     * @param unstored requests that do not stand there once, completed
     * @param askedTooOften requests that the validator got again although it had not denied them, or under another key
     * @param wronglyNoticed requests without a notification, or with two
     */
    record Verdict(
            int requests,
            Map<Fault, Integer> faults,
            int askedAgain,
            int unanswered,
            int differing,
            int unstored,
            int askedTooOften,
            int wronglyNoticed,
            int deaths) {

        boolean isRight() {
            return requests > 0 && unanswered + differing + unstored + askedTooOften + wronglyNoticed + deaths == 0;
        }

        int faultCount() {
            return faults.values().stream().mapToInt(n -> n).sum();
        }

        String found() {
            return isRight()
                    ? "nothing"
                    : "WRONG: unanswered %d, answered differently %d, not stored once %d, asked too often %d, not notified once %d, deaths %d"
                            .formatted(unanswered, differing, unstored, askedTooOften, wronglyNoticed, deaths);
        }
    }

    private static final String USAGE =
            "--workload certification [--db h2|postgresql|mariadb] [--seconds N] [--seed S]";
    private static final int CALLERS = 24;
    private static final Duration ANSWER = Duration.ofSeconds(4);
    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final Pattern FOLIO = Pattern.compile("\"folioTramiteProcesar\":\"([^\"]+)\"");

    private final Validator validator = new Validator();
    private final Path doors;
    private final Chaos chaos;
    private final HttpClient http =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
    private final AtomicInteger next = new AtomicInteger();
    private final AtomicInteger unanswered = new AtomicInteger();
    private final Map<Integer, Queue<String>> answers = new ConcurrentHashMap<>();
    private volatile boolean over;
    private volatile long giveUpAt; // counts when it is over

    private Storm(TestDatabase kind, long seed) throws Exception {
        doors = Files.createTempDirectory("turno-storm");
        chaos = Chaos.of(kind, StormNode.class)
                .seed(seed)
                .words("authority=" + validator.url(), "doors=" + doors)
                .start();
        chaos.execute("create table storm_notice (id varchar(200), body varchar(4000))");
        openToday(new Sql(chaos.dataSource()));
    }

    /** And the days around it: some clocks are more than a day wrong. */
    private static void openToday(Sql sql) {
        sql.createTables();
        Calendars calendars = new Calendars(sql, Map.of(StormNode.PROCESS, CalendarSource.CONSAR));
        LocalDate today = calendars.today();
        IntStream.rangeClosed(-2, 2)
                .mapToObj(today::plusDays)
                .forEach(day -> calendars.put(new Day(CalendarSource.CONSAR, day, true, "test", "")));
    }

    static Verdict run(TestDatabase kind, Duration time, long seed) throws Exception {
        try (Storm storm = new Storm(kind, seed)) {
            return storm.run(time);
        }
    }

    private Verdict run(Duration time) throws Exception {
        chaos.startNodes();
        List<Thread> callers = new ArrayList<>();
        for (int i = 0; i < CALLERS; i++) {
            Thread caller = new Thread(this::call, "caller-" + i);
            caller.setDaemon(true);
            caller.start();
            callers.add(caller);
        }
        chaos.rage(time);
        giveUpAt = System.nanoTime() + PATIENCE.toNanos();
        over = true;
        while (callers.stream().anyMatch(Thread::isAlive)) {
            chaos.replaceTheDead();
            Thread.sleep(200);
        }
        return verdict();
    }

    /** Two callers get the same number. */
    private void call() {
        while (!over) {
            int number = next.getAndIncrement() / 2;
            validator.delays.put(StormNode.folio(number), number % 6 * 50L);
            if (!ask(number)) {
                unanswered.incrementAndGet();
            }
        }
    }

    private boolean ask(int number) {
        while (!over || System.nanoTime() - giveUpAt < 0) {
            try {
                HttpResponse<String> response = http.send(request(number), HttpResponse.BodyHandlers.ofString());
                if (response.statusCode() == 200) {
                    answers.computeIfAbsent(number, any -> new ConcurrentLinkedQueue<>())
                            .add(response.body());
                    return true;
                }
                Thread.sleep(100);
            } catch (IOException again) {
                // That process is dead or frozen; another one is asked.
            } catch (InterruptedException e) {
                return false;
            }
        }
        return false;
    }

    private HttpRequest request(int number) throws IOException {
        try (Stream<Path> all = Files.list(doors)) {
            List<Path> known = all.toList();
            Path door = known.get(ThreadLocalRandom.current().nextInt(known.size()));
            return HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + door.getFileName() + "/" + number))
                    .timeout(ANSWER)
                    .POST(HttpRequest.BodyPublishers.noBody())
                    .build();
        }
    }

    private Verdict verdict() throws InterruptedException {
        Set<Integer> asked = answers.keySet();
        long until = System.nanoTime() + PATIENCE.toNanos();
        while (wronglyNoticed(asked) > 0 && System.nanoTime() - until < 0) {
            chaos.replaceTheDead();
            Thread.sleep(200);
        }
        return new Verdict(
                asked.size(),
                new TreeMap<>(chaos.faults()),
                count(asked, number -> keys(number).size() > 1 ? 1 : 0),
                unanswered.get(),
                count(
                        asked,
                        number -> Set.copyOf(answers.getOrDefault(number, new ArrayDeque<>()))
                                                .size()
                                        == 1
                                ? 0
                                : 1),
                unstored(asked),
                count(asked, this::askedTooOften),
                wronglyNoticed(asked),
                chaos.deaths());
    }

    private static int count(Set<Integer> numbers, ToIntFunction<Integer> wrong) {
        return numbers.stream().mapToInt(wrong).sum();
    }

    /** Each time that it denies a request allows one more try. */
    private int askedTooOften(int number) {
        long denied = validator.unheard.stream()
                .filter(StormNode.folio(number)::equals)
                .count();
        Queue<String> keys = keys(number);
        return keys.size() > 1 + denied || Set.copyOf(keys).size() != 1 ? 1 : 0;
    }

    private Queue<String> keys(int number) {
        return validator.keysOf.getOrDefault(StormNode.folio(number), new ArrayDeque<>());
    }

    private int unstored(Set<Integer> asked) {
        Map<String, List<String>> states = new HashMap<>();
        JdbcClient.create(chaos.dataSource())
                .sql("select folio, state from turno_certification")
                .query((row, n) -> states.computeIfAbsent(row.getString(1), any -> new ArrayList<>())
                        .add(row.getString(2)))
                .list();
        return count(asked, number -> List.of("COMPLETED").equals(states.get(StormNode.folio(number))) ? 0 : 1);
    }

    /** A notification may come twice, as any effect outside; under the same id then. */
    private int wronglyNoticed(Set<Integer> asked) {
        Map<String, Set<String>> ids = new HashMap<>();
        JdbcClient.create(chaos.dataSource())
                .sql("select id, body from storm_notice")
                .query((row, n) -> ids.computeIfAbsent(folioOf(row.getString(2)), any -> new HashSet<>())
                        .add(row.getString(1)))
                .list();
        return count(
                asked,
                number -> ids.getOrDefault(StormNode.folio(number), Set.of()).size() == 1 ? 0 : 1);
    }

    private static String folioOf(String notice) {
        Matcher folio = FOLIO.matcher(notice);
        return folio.find() ? folio.group(1) : "";
    }

    @Override
    public void close() throws IOException {
        chaos.close();
        validator.close();
        try (Stream<Path> all = Files.list(doors)) {
            for (Path door : all.toList()) {
                Files.delete(door);
            }
        }
        Files.delete(doors);
    }

    /** Options: see {@link #USAGE}. Keeps a row for {@code ./turno chaos --report}. */
    public static void main(String[] arguments) throws Exception {
        List<String> words = new ArrayList<>(List.of(arguments));
        TestDatabase kind;
        int seconds;
        long seed;
        try {
            option(words, "--workload", "certification");
            kind = TestDatabase.valueOf(option(words, "--db", "postgresql").toUpperCase(Locale.ROOT));
            seconds = Integer.parseInt(option(words, "--seconds", "60"));
            seed = Long.parseLong(option(words, "--seed", "1"));
            if (!words.isEmpty()) {
                throw new IllegalArgumentException("'" + words.get(0) + "' is not known here");
            }
        } catch (IllegalArgumentException e) {
            System.err.println("turno: " + e.getMessage() + "; the options are " + USAGE);
            System.exit(2);
            return;
        }
        Verdict verdict = run(kind, Duration.ofSeconds(seconds), seed);
        System.out.println(verdict);
        String row = "| %s, `--seconds %d --seed %d` | %,d | %d | %s | %,d |%n"
                .formatted(
                        name(kind),
                        seconds,
                        seed,
                        verdict.requests(),
                        verdict.faultCount(),
                        verdict.found(),
                        verdict.askedAgain());
        System.out.print(row);
        Path kept = Path.of("..", "turno-testkit", "target", "chaos");
        Files.createDirectories(kept);
        Files.writeString(kept.resolve("certification-" + name(kind)), row);
        System.exit(verdict.isRight() ? 0 : 1);
    }

    private static String name(TestDatabase kind) {
        return switch (kind) {
            case H2 -> "H2";
            case POSTGRESQL -> "PostgreSQL";
            case MARIADB -> "MariaDB";
        };
    }

    /** Takes it out of the words. */
    private static String option(List<String> words, String name, String usual) {
        int place = words.indexOf(name);
        if (place < 0) {
            return usual;
        }
        if (place + 1 == words.size()) {
            throw new IllegalArgumentException(name + " needs a value");
        }
        words.remove(place);
        return words.remove(place);
    }
}
