package dev.turno.harvester.demo;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * An OAI-PMH provider over a {@link DemoRepository}, on this computer's own address. Shared by threads.
 *
 * @see Mischief
 */
public final class DemoProvider implements AutoCloseable {

    static {
        // Otherwise a small answer waits 40 ms between its headers and its body, for an acknowledgement that is held
        // back.
        System.setProperty("sun.net.httpserver.nodelay", "true");
    }

    private static final String HEAD = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
            + "<OAI-PMH xmlns=\"http://www.openarchives.org/OAI/2.0/\""
            + " xmlns:xsi=\"http://www.w3.org/2001/XMLSchema-instance\""
            + " xsi:schemaLocation=\"http://www.openarchives.org/OAI/2.0/"
            + " http://www.openarchives.org/OAI/2.0/OAI-PMH.xsd\">";

    private final DemoRepository repository;
    private final int pageSize;
    private final HttpServer server;
    private final ExecutorService threads = Executors.newFixedThreadPool(4, task -> {
        Thread thread = new Thread(task, "turno-demo-provider");
        thread.setDaemon(true);
        return thread;
    });
    private final AtomicInteger questions = new AtomicInteger();
    private final Map<String, Integer> asked = new ConcurrentHashMap<>();
    private final Map<String, Reply> kept = new ConcurrentHashMap<>();
    private volatile boolean keeps;
    private volatile Mischief mischief = Mischief.none();
    private volatile boolean days;
    private volatile String deletedRecord = "persistent";
    private volatile boolean ignoresFrom;

    private DemoProvider(DemoRepository repository, int pageSize, int port) throws IOException {
        this.repository = repository;
        this.pageSize = pageSize;
        this.server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), 100);
        server.createContext("/oai", this::handle);
        server.createContext("/moved", this::move);
        server.setExecutor(threads);
    }

    /** @param port 0: any that is free */
    public static DemoProvider start(DemoRepository repository, int pageSize, int port) throws IOException {
        DemoProvider provider = new DemoProvider(repository, pageSize, port);
        provider.server.start();
        return provider;
    }

    public String url() {
        return base() + "/oai";
    }

    /** An address that leads to the provider by a redirection. */
    public String movedUrl() {
        return base() + "/moved";
    }

    private String base() {
        return "http://" + server.getAddress().getHostString() + ":"
                + server.getAddress().getPort();
    }

    public void misbehave(Mischief wished) {
        mischief = wished;
    }

    /** Renders each answer once: for measurements of those who ask, which share this machine with it. */
    public void keepAnswers() {
        keeps = true;
    }

    /** Datestamps of days instead of seconds. */
    public void countDays() {
        days = true;
    }

    /** What it says about deletions: no, transient or persistent. Unless it is persistent, deleted records just vanish. */
    public void rememberDeletions(String wished) {
        deletedRecord = wished;
    }

    public void ignoreFrom() {
        ignoresFrom = true;
    }

    /** How often each query was asked, by its text. */
    public Map<String, Integer> asked() {
        return Map.copyOf(asked);
    }

    @Override
    public void close() {
        server.stop(0);
        threads.shutdownNow();
    }

    private void move(HttpExchange exchange) throws IOException {
        exchange.getResponseHeaders()
                .set(
                        "Location",
                        url() + "?"
                                + Optional.ofNullable(exchange.getRequestURI().getRawQuery())
                                        .orElse(""));
        exchange.sendResponseHeaders(302, -1);
        exchange.close();
    }

    private void handle(HttpExchange exchange) throws IOException {
        try (exchange) {
            String query =
                    Optional.ofNullable(exchange.getRequestURI().getRawQuery()).orElse("");
            asked.merge(query, 1, Integer::sum);
            Map<String, String> arguments = arguments(query);
            String verb = arguments.getOrDefault("verb", "");
            int page = verb.startsWith("List") ? offset(arguments) / pageSize + 1 : 0;
            Question question = new Question(verb, arguments, questions.incrementAndGet(), page);
            Reply reply = mischief.on(question, answer(question, query));
            if (!reply.delay().isZero()) {
                Thread.sleep(reply.delay().toMillis());
            }
            send(exchange, reply);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static void send(HttpExchange exchange, Reply reply) throws IOException {
        reply.headers().forEach(exchange.getResponseHeaders()::set);
        exchange.sendResponseHeaders(reply.status(), reply.body().length == 0 ? -1 : reply.body().length);
        try (OutputStream out = exchange.getResponseBody()) {
            out.write(reply.body());
        }
    }

    private static Map<String, String> arguments(String query) {
        Map<String, String> arguments = new HashMap<>();
        for (String pair : query.split("&", -1)) {
            int equals = pair.indexOf('=');
            if (equals > 0) {
                arguments.put(
                        pair.substring(0, equals),
                        URLDecoder.decode(pair.substring(equals + 1), StandardCharsets.UTF_8));
            }
        }
        return arguments;
    }

    /** A token is the arguments of its list and the place in it, with characters that must be encoded on the way. */
    private static int offset(Map<String, String> arguments) {
        String token = arguments.getOrDefault("resumptionToken", "");
        try {
            return token.isEmpty() ? 0 : Integer.parseInt(token.substring(token.lastIndexOf('/') + 1));
        } catch (NumberFormatException e) {
            return 0;
        }
    }

    private Reply answer(Question question, String query) {
        return keeps ? kept.computeIfAbsent(query, key -> rendered(question)) : rendered(question);
    }

    private Reply rendered(Question question) {
        return Reply.xml(HEAD + "<responseDate>"
                + Instant.now().truncatedTo(ChronoUnit.SECONDS) + "</responseDate><request verb=\""
                + DemoRecords.escape(question.verb()) + "\">" + url() + "</request>" + body(question) + "</OAI-PMH>");
    }

    private String body(Question question) {
        return switch (question.verb()) {
            case "Identify" -> identify();
            case "ListMetadataFormats" ->
                "<ListMetadataFormats><metadataFormat><metadataPrefix>oai_dc</metadataPrefix>"
                        + "<schema>http://www.openarchives.org/OAI/2.0/oai_dc.xsd</schema><metadataNamespace>"
                        + "http://www.openarchives.org/OAI/2.0/oai_dc/</metadataNamespace></metadataFormat></ListMetadataFormats>";
            case "ListSets" -> sets();
            case "ListRecords", "ListIdentifiers" -> list(question);
            case "GetRecord" -> one(question);
            default -> error("badVerb", "There is no such verb.");
        };
    }

    private static String error(String code, String message) {
        return "<error code=\"" + code + "\">" + message + "</error>";
    }

    private String identify() {
        return "<Identify><repositoryName>" + repository.name() + "</repositoryName><baseURL>" + url() + "</baseURL>"
                + "<protocolVersion>2.0</protocolVersion><adminEmail>demo@repository.example</adminEmail>"
                + "<earliestDatestamp>2020-01-01T00:00:00Z</earliestDatestamp><deletedRecord>" + deletedRecord
                + "</deletedRecord><granularity>" + (days ? "YYYY-MM-DD" : "YYYY-MM-DDThh:mm:ssZ")
                + "</granularity></Identify>";
    }

    private static String sets() {
        StringBuilder xml = new StringBuilder("<ListSets>");
        for (String set : DemoRepository.sets()) {
            xml.append("<set><setSpec>" + set + "</setSpec><setName>" + set + "</setName></set>");
        }
        return xml.append("</ListSets>").toString();
    }

    private String one(Question question) {
        String identifier = question.argument("identifier").orElse("");
        for (int number = 0; number < repository.size(); number++) {
            if (repository.identifier(number).equals(identifier)) {
                return "<GetRecord>" + record(number, true) + "</GetRecord>";
            }
        }
        return error("idDoesNotExist", "There is no such record.");
    }

    private String list(Question question) {
        Map<String, String> arguments =
                question.argument("resumptionToken").map(DemoProvider::unpacked).orElse(question.arguments());
        if (question.argument("resumptionToken").isEmpty() && !"oai_dc".equals(arguments.get("metadataPrefix"))) {
            return error("cannotDisseminateFormat", "Only oai_dc is here.");
        }
        int offset = offset(question.arguments());
        StringBuilder xml = new StringBuilder(pageSize * 3_000);
        int given = 0;
        int number = offset;
        for (; number < repository.size() && given < pageSize; number++) {
            if (isWanted(number, arguments)) {
                xml.append(record(number, question.verb().equals("ListRecords")));
                given++;
            }
        }
        while (number < repository.size() && !isWanted(number, arguments)) {
            number++;
        }
        if (given == 0) {
            return error("noRecordsMatch", "Nothing matches.");
        }
        String token = number < repository.size() ? packed(arguments, number) : "";
        String end = offset == 0 && token.isEmpty()
                ? ""
                : "<resumptionToken completeListSize=\"" + repository.size() + "\" cursor=\"" + offset + "\">"
                        + DemoRecords.escape(token) + "</resumptionToken>";
        return "<" + question.verb() + ">" + xml + end + "</" + question.verb() + ">";
    }

    private static String packed(Map<String, String> arguments, int number) {
        return arguments.getOrDefault("set", "") + "&+" + arguments.getOrDefault("from", "") + "&+"
                + arguments.getOrDefault("until", "") + "/" + number;
    }

    private static Map<String, String> unpacked(String token) {
        int slash = Math.max(0, token.lastIndexOf('/'));
        String[] parts = token.substring(0, slash).split("&\\+", -1);
        return parts.length < 3 ? Map.of() : Map.of("set", parts[0], "from", parts[1], "until", parts[2]);
    }

    private boolean isWanted(int number, Map<String, String> arguments) {
        if (repository.isDeleted(number) && !deletedRecord.equals("persistent")) {
            return false;
        }
        String set = arguments.getOrDefault("set", "");
        String until = arguments.getOrDefault("until", "");
        Collection<String> sets = repository.setsOf(number);
        Instant at = stamp(repository.datestamp(number));
        boolean inSet = set.isEmpty() || sets.contains(set);
        boolean late = ignoresFrom || !isBefore(at, arguments.getOrDefault("from", ""));
        boolean early = until.isEmpty() || !moment(until, true).isBefore(at);
        return inSet && late && early;
    }

    private static boolean isBefore(Instant at, String from) {
        return !from.isEmpty() && at.isBefore(moment(from, false));
    }

    private Instant stamp(Instant at) {
        return at.truncatedTo(days ? ChronoUnit.DAYS : ChronoUnit.SECONDS);
    }

    private static Instant moment(String text, boolean end) {
        if (text.length() > 10) {
            return Instant.parse(text);
        }
        Instant day = LocalDate.parse(text).atStartOfDay(ZoneOffset.UTC).toInstant();
        return end ? day.plus(1, ChronoUnit.DAYS).minusSeconds(1) : day;
    }

    private String record(int number, boolean whole) {
        boolean deleted = repository.isDeleted(number);
        Instant at = repository.datestamp(number).truncatedTo(ChronoUnit.SECONDS);
        StringBuilder xml = new StringBuilder(whole && !deleted ? 3_000 : 300);
        xml.append(deleted ? "<header status=\"deleted\">" : "<header>");
        xml.append("<identifier>").append(repository.identifier(number)).append("</identifier><datestamp>");
        xml.append(days ? LocalDate.ofInstant(at, ZoneOffset.UTC) : at).append("</datestamp>");
        repository.setsOf(number).forEach(set -> xml.append("<setSpec>" + set + "</setSpec>"));
        xml.append("</header>");
        if (!whole) {
            return xml.toString();
        }
        if (!deleted) {
            xml.append("<metadata>")
                    .append(DemoRecords.dublinCore(number, repository.version(number)))
                    .append("</metadata>");
        }
        return "<record>" + xml + "</record>";
    }
}
