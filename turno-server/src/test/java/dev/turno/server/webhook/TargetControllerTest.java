package dev.turno.server.webhook;

import static org.assertj.core.api.Assertions.assertThat;

import dev.turno.Turno;
import dev.turno.server.RunningServer;
import java.net.http.HttpResponse;
import org.junit.jupiter.api.Test;

class TargetControllerTest {

    private static final String BILLS = "--turno.webhooks.inboxes.bills.";

    @Test
    void a_target_of_the_configuration_can_be_neither_changed_nor_removed_over_http() {
        try (RunningServer server = new RunningServer(
                BILLS + "url=https://hooks.example.com/bills",
                BILLS + "secret=whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oDqTCHxqvrpNA=")) {
            HttpResponse<String> changed = server.send("PUT", "/api/v1/inboxes/bills", RunningServer.ADMIN, "{}");
            HttpResponse<String> removed =
                    server.send("DELETE", "/api/v1/inboxes/bills/webhook", RunningServer.ADMIN, "");

            assertThat(changed.statusCode()).isEqualTo(409);
            assertThat(removed.statusCode()).isEqualTo(409);
            assertThat(removed.body()).contains("turno.webhooks", "change it there");
            assertThat(server.send("DELETE", "/api/v1/inboxes/others/webhook", RunningServer.ADMIN, "")
                            .statusCode())
                    .isEqualTo(404);
        }
    }

    @Test
    void a_limit_that_is_not_said_again_is_lifted_for_the_whole_cluster() {
        try (RunningServer server = new RunningServer()) {
            put(server, "{\"concurrency\":1}");
            assertThat(shown(server)).contains("\"concurrency\":1");

            put(server, "{}");

            assertThat(shown(server)).contains("\"concurrency\":null");
            assertThat(server.context().getBean(Turno.class).inbox("parcels").concurrency())
                    .isEmpty();
        }
    }

    @Test
    void a_limit_is_forgotten_with_all_that_was_said_about_an_inbox() {
        try (RunningServer server = new RunningServer()) {
            put(server, "{\"concurrency\":1}");

            server.send("DELETE", "/api/v1/inboxes/parcels/webhook", RunningServer.ADMIN, "");

            assertThat(shown(server)).contains("\"concurrency\":null");
            assertThat(server.context().getBean(Turno.class).inbox("parcels").concurrency())
                    .isEmpty();
        }
    }

    private static void put(RunningServer server, String options) {
        assertThat(server.send("PUT", "/api/v1/inboxes/parcels", RunningServer.ADMIN, options)
                        .statusCode())
                .isEqualTo(200);
    }

    private static String shown(RunningServer server) {
        return server.send("GET", "/api/v1/inboxes/parcels", RunningServer.ADMIN, "")
                .body();
    }
}
