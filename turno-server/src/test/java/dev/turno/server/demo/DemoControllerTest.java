package dev.turno.server.demo;

import static org.assertj.core.api.Assertions.assertThat;

import dev.turno.server.RunningServer;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DemoControllerTest {

    @Test
    void a_node_that_is_dead_already_is_not_said_to_be_killed(@TempDir Path folder) {
        try (RunningServer server = new RunningServer(
                "--turno.demo=true", "--turno.harvester.folder=" + folder, "--turno.holder.lease=1m")) {
            HttpResponse<String> first = server.send("POST", "/api/v1/demo/kill", RunningServer.ADMIN, "");
            HttpResponse<String> second = server.send("POST", "/api/v1/demo/kill", RunningServer.ADMIN, "");

            assertThat(first.statusCode()).isEqualTo(200);
            assertThat(second.statusCode()).isEqualTo(409);
            assertThat(second.body()).contains("dead already");
        }
    }
}
