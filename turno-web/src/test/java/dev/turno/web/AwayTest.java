package dev.turno.web;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.turno.testkit.database.FreshDatabase;
import dev.turno.testkit.database.TcpProxy;
import dev.turno.testkit.database.TestDatabase;
import dev.turno.web.ApiServer.Answer;
import java.time.Duration;
import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What callers are told while the database is away. */
@Timeout(120)
class AwayTest {

    private static final String LOCK = "{\"holder\":\"php-1\",\"lease\":\"PT1S\"}";

    @Test
    void a_lock_call_says_that_the_lock_may_be_taken_and_all_goes_on_when_the_database_is_back() {
        try (FreshDatabase database = TestDatabase.H2.freshOnServer();
                TcpProxy proxy = TcpProxy.to(database.port());
                ApiServer server = ApiServer.start(
                        database,
                        database.urlThrough(proxy.port()),
                        "--spring.datasource.hikari.connection-timeout=500",
                        "--spring.datasource.hikari.validation-timeout=250")) {
            Set<String> told = new HashSet<>();
            // The token is remembered for two seconds: on a slow machine it is the filter that finds the database away.
            for (int tries = 0; tries < 10 && told.stream().noneMatch(AwayTest::isOfTheLock); tries++) {
                proxy.pass();
                await().atMost(Duration.ofSeconds(30))
                        .until(() -> server.get("/api/v1/locks").status() == 200);

                proxy.reset();
                Answer answer = server.post("/api/v1/locks/report", LOCK);

                assertThat(answer.status()).isEqualTo(503);
                assertThat(answer.header("Retry-After")).isEqualTo("1");
                assertThat(answer.header("Content-Type")).startsWith("application/problem+json");
                told.add(answer.json().get("detail").asString());
            }
            assertThat(told).anyMatch(AwayTest::isOfTheLock);
            await().atMost(Duration.ofSeconds(20)).until(() -> isNobodyKnown(server.get("/api/v1/inboxes")));

            proxy.pass();
            await().atMost(Duration.ofSeconds(30))
                    .until(() -> server.post("/api/v1/locks/report", LOCK).status() == 200);
        }
    }

    private static boolean isNobodyKnown(Answer answer) {
        return answer.status() == 503 && answer.body().contains("It cannot be told now who you are");
    }

    private static boolean isOfTheLock(String detail) {
        return detail.contains("If it took the lock 'report' nevertheless, that lapses after its lease");
    }
}
