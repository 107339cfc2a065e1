package dev.turno.server.reference;

import static org.assertj.core.api.Assertions.assertThat;

import dev.turno.server.RunningServer;
import dev.turno.server.cli.Main;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;
import picocli.CommandLine.Model.OptionSpec;
import tools.jackson.databind.json.JsonMapper;

/** {@code ./turno test -Dtest=ReferenceTest -Dturno.write-reference=true} writes the pages anew. */
class ReferenceTest {

    private static final Path FOLDER = Sources.ROOT.resolve("docs/reference");

    private static final Pattern METER = Pattern.compile("\"(turno\\.[a-z.]+)\"");
    private static final Pattern DOCUMENTED = Pattern.compile("(?m)^\\| `(turno\\.[a-z.]+)` ");
    private static final Pattern IN_PROMETHEUS = Pattern.compile("turno_[a-z_]+");

    @SuppressWarnings("NullAway.Init")
    private static RunningServer server;

    @BeforeAll
    static void start() {
        server = new RunningServer("--turno.whatsapp.verify-token=agreed", "--turno.whatsapp.app-secret=secret");
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    private static void compare(String name, String drawn) throws IOException {
        Path file = FOLDER.resolve(name);
        if (Boolean.getBoolean("turno.write-reference")) {
            Files.createDirectories(FOLDER);
            Files.writeString(file, drawn);
        }
        assertThat(file)
                .as("write it with -Dturno.write-reference=true")
                .content()
                .isEqualTo(drawn);
    }

    @Test
    void every_property_is_documented() throws IOException {
        String drawn = PropertiesPage.drawn();

        compare("properties.md", drawn);
        assertThat(PropertiesPage.asked()).allSatisfy(name -> assertThat(drawn).contains("`" + name + "`"));
        assertThat(drawn.lines().filter(line -> line.endsWith("|  |")))
                .as("without words")
                .isEmpty();
    }

    @Test
    void every_route_is_documented() throws IOException {
        String document = server.send("GET", "/api/v1/openapi.json", RunningServer.ADMIN, "")
                .body();

        compare("routes.md", RoutesPage.drawn(JsonMapper.shared().readTree(document)));
    }

    @Test
    void every_command_and_option_is_documented() throws IOException {
        compare("commands.md", CommandsPage.drawn());
        options(Main.commandLine())
                .forEach(option ->
                        assertThat(option.description()).as(option.toString()).isNotEmpty());
    }

    private static Stream<OptionSpec> options(CommandLine command) {
        return Stream.concat(
                command.getCommandSpec().options().stream(),
                command.getSubcommands().values().stream().flatMap(ReferenceTest::options));
    }

    @Test
    void the_tables_are_documented() throws IOException {
        compare("schema.md", SchemaPage.drawn());
    }

    @Test
    void every_meter_is_documented_and_no_other() {
        String code = Stream.of("Meters", "Tracing")
                .map(name -> Sources.ROOT.resolve(
                        "turno-spring-boot-starter/src/main/java/dev/turno/spring/" + name + ".java"))
                .map(Sources::read)
                .collect(Collectors.joining());
        Set<String> meters = found(METER, code);
        meters.removeAll(Set.of("turno.key", "turno.attempt", "turno."));

        assertThat(found(DOCUMENTED, Sources.read(FOLDER.resolve("metrics.md"))))
                .isEqualTo(meters);
    }

    @Test
    void alerts_and_boards_name_meters_that_there_are() {
        Set<String> meters = found(DOCUMENTED, Sources.read(FOLDER.resolve("metrics.md"))).stream()
                .map(name -> name.replace('.', '_'))
                .collect(Collectors.toSet());
        String named = Sources.read(Sources.ROOT.resolve("packaging/prometheus/turno.rules.yml"))
                + Sources.read(Sources.ROOT.resolve("packaging/grafana/turno.json"));

        assertThat(found(IN_PROMETHEUS, named))
                .allSatisfy(name -> assertThat(meters)
                        .contains(name.replaceFirst("_(total|seconds_bucket|seconds_count|seconds_sum)$", "")));
    }

    @Test
    void a_viewer_may_scrape_the_meters_and_nobody_without_a_token() {
        server.send("POST", "/api/v1/inboxes/orders/messages", RunningServer.ADMIN, "{\"id\":\"1\",\"body\":\"x\"}");
        var scraped = server.send("GET", "/actuator/prometheus", server.newToken("viewer"), "");

        assertThat(scraped.statusCode()).isEqualTo(200);
        assertThat(scraped.body()).contains("turno_inbox_pending{");
        assertThat(server.send("GET", "/actuator/prometheus", "", "").statusCode())
                .isEqualTo(401);
    }

    private static Set<String> found(Pattern pattern, String text) {
        return pattern.matcher(text)
                .results()
                .map(found -> found.group(found.groupCount()))
                .collect(Collectors.toCollection(TreeSet::new));
    }
}
