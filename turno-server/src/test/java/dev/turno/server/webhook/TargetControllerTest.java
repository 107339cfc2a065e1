package dev.turno.server.webhook;

import static org.assertj.core.api.Assertions.assertThat;

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
}
