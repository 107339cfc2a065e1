package dev.turno.server.webhook;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.turno.server.RunningServer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Base64;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The flow for n8n in {@code examples}: its own code reads what the server posts. Only n8n itself is played, in a few lines. */
class FlowTest {

    private static final JsonMapper JSON = JsonMapper.shared();

    private static final String AS_N8N = """
            const [flow, call, secret] = JSON.parse(require('fs').readFileSync(0, 'utf8'));
            const code = flow.nodes.find(node => node.type === 'n8n-nodes-base.code').parameters.jsCode;
            const $input = { first: () => ({ json: { headers: call.headers } }) };
            const n8n = { helpers: { getBinaryDataBuffer: async () => Buffer.from(call.body, 'base64') } };
            const AsyncFunction = (async () => {}).constructor;
            const run = new AsyncFunction('$input', '$env', 'require', code);
            run.call(n8n, $input, { TURNO_WEBHOOK_SECRET: secret }, require).then(([item]) => {
                const $json = item.json;
                const agent = flow.nodes.find(node => node.name === 'Ask the agent').parameters.jsonBody;
                console.log(eval(agent.replace(/^={{/, '').replace(/}}$/, '')));
            });
            """;

    @TempDir
    private Path folder = Path.of("");

    @Test
    void the_flow_believes_a_burst_of_the_server_and_nobody_elses() throws Exception {
        assumeTrue(Files.isExecutable(Path.of("/usr/bin/node")), "node is not installed here");
        JsonNode flow = JSON.readTree(Files.readString(Path.of("../examples/n8n/whatsapp-buffer.json")));
        try (Receiver n8n = new Receiver(Receiver.status(204));
                RunningServer server = new RunningServer("--turno.webhooks.allow=127.0.0.1")) {
            String secret = JSON.readTree(server.send(
                                    "PUT",
                                    "/api/v1/buffers/whatsapp",
                                    RunningServer.ADMIN,
                                    "{\"quiet\":\"PT0.2S\",\"webhook\":{\"url\":\"" + n8n.url()
                                            + "\",\"timeout\":\"PT10S\"}}")
                            .body())
                    .get("secret")
                    .asString();
            server.send(
                    "POST",
                    "/api/v1/buffers/whatsapp/34600000001/messages",
                    RunningServer.ADMIN,
                    "{\"id\":\"wamid.1\",\"body\":\"hola\"}");
            await().atMost(Duration.ofSeconds(30)).until(() -> !n8n.calls().isEmpty());
            Receiver.Call call = n8n.calls().get(0);

            assertThat(asN8n(flow, call, secret)).isEqualTo("{\"phone\":\"34600000001\",\"text\":\"hola\"}");
            assertThat(asN8n(flow, call, "whsec_" + Base64.getEncoder().encodeToString(new byte[32])))
                    .contains("not signed by Turno");
        }
    }

    private String asN8n(JsonNode flow, Receiver.Call call, String secret) throws IOException, InterruptedException {
        Path given = folder.resolve("given.json");
        Path said = folder.resolve("said");
        String body = Base64.getEncoder().encodeToString(call.body());
        Files.writeString(given, JSON.writeValueAsString(new Object[] {
            flow, Map.of("headers", call.headers(), "body", body), secret
        }));
        Process node = new ProcessBuilder("node", "-e", AS_N8N)
                .redirectInput(given.toFile())
                .redirectErrorStream(true)
                .redirectOutput(said.toFile())
                .start();
        assertThat(node.waitFor(60, TimeUnit.SECONDS)).isTrue();
        return Files.readString(said).strip();
    }
}
