package dev.turno.server.external;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.turno.server.RunningServer;
import java.time.Duration;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Whether people see what workers outside do. */
@Timeout(120)
class SeenWorkTest {

    private static final String BAKERY = "/api/v1/inboxes/bakery/";

    @SuppressWarnings("NullAway.Init")
    private static RunningServer server;

    @BeforeAll
    static void start() {
        server = new RunningServer();
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    private static JsonNode post(String path, String body) {
        return JsonMapper.shared()
                .readTree(server.send("POST", path, RunningServer.ADMIN, body).body());
    }

    private static String get(String path) {
        return server.send("GET", path, RunningServer.ADMIN, "").body();
    }

    private static void put(String id) {
        post(BAKERY + "messages", "{\"id\":\"" + id + "\",\"body\":\"{}\"}");
    }

    private static void takeAndFinish(String id, String result) {
        JsonNode taken =
                post(BAKERY + "take", "{\"wait\":\"PT20S\"}").get("items").get(0);
        assertThat(taken.get("id").asString()).isEqualTo(id);
        String finish =
                "[{\"id\":\"" + id + "\",\"fence\":" + taken.get("fence").asLong() + "," + result + "}]";
        post(BAKERY + "finish", finish);
        assertThat(post(BAKERY + "finish", finish).at("/items/0/kept").asBoolean())
                .as("the same once more, which is not to be counted")
                .isTrue();
    }

    @Test
    void what_workers_outside_do_is_in_charts_meters_and_stories() {
        put("bread");
        takeAndFinish("bread", "\"result\":\"retry\",\"in\":\"PT0.01S\",\"error\":\"the oven is cold\"");
        takeAndFinish("bread", "\"result\":\"done\"");
        put("stone");
        takeAndFinish("stone", "\"result\":\"reject\",\"error\":\"nobody eats it\"");

        await().atMost(Duration.ofSeconds(60)).untilAsserted(() -> {
            JsonNode chart = JsonMapper.shared().readTree(get("/api/v1/history?range=hour&who=inbox%20bakery"));
            assertThat(sum(chart, "done")).isEqualTo(1);
            assertThat(sum(chart, "again")).isEqualTo(1);
            assertThat(sum(chart, "dead")).isEqualTo(1);
            assertThat(get("/api/v1/story/inbox/bakery/bread")).contains("the oven is cold");
            assertThat(get("/api/v1/story/inbox/bakery/stone")).contains("nobody eats it");
        });
        String scraped = get("/actuator/prometheus");
        assertThat(metered(scraped, "turno_taken_total")).isEqualTo(3);
        assertThat(metered(scraped, "turno_done_total")).isEqualTo(1);
        assertThat(metered(scraped, "turno_failed_total")).isEqualTo(1);
        assertThat(metered(scraped, "turno_again_total")).isEqualTo(1);
        assertThat(metered(scraped, "turno_dead_total")).isEqualTo(1);
        assertThat(metered(scraped, "turno_inbox_dead"))
                .as("a gauge, although no worker inside has taken anything")
                .isEqualTo(1);
    }

    private static long sum(JsonNode chart, String field) {
        return StreamSupport.stream(chart.get("points").spliterator(), false)
                .mapToLong(point -> point.get(field).asLong())
                .sum();
    }

    private static double metered(String scraped, String meter) {
        return scraped.lines()
                .filter(line -> line.startsWith(meter + "{") && line.contains("name=\"bakery\""))
                .mapToDouble(line -> Double.parseDouble(line.substring(line.lastIndexOf(' '))))
                .sum();
    }
}
