package dev.turno.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.zaxxer.hikari.HikariDataSource;
import dev.turno.PatientSource;
import dev.turno.testkit.database.TcpProxy;
import dev.turno.testkit.database.TestDatabase;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The database is away and comes back: for a moment, and for a minute at full length. */
@Timeout(300)
class OutageTest {

    private static final boolean FULL = "full".equals(System.getProperty("turno.scale"));

    /** What is promised, for a machine that has nothing else to do. */
    private static final Duration BACK = Duration.ofSeconds(FULL ? 5 : 30);

    private int sent;

    @Test
    void the_server_answers_again_soon_after_the_database_is_back() throws InterruptedException {
        var database = TestDatabase.POSTGRESQL.freshOnServer();
        try (TcpProxy proxy = TcpProxy.to(database.port());
                RunningServer server = new RunningServer(database, to -> to.urlThrough(proxy.port()))) {
            assertThat(server.context().getBean(HikariDataSource.class).getDataSource())
                    .isInstanceOf(PatientSource.class);
            await().atMost(BACK).until(() -> put(server) == 201);

            proxy.reset();
            await().atMost(Duration.ofSeconds(60)).until(() -> put(server) == 503);
            Thread.sleep(FULL ? 60_000 : 0);

            long back = System.nanoTime();
            proxy.pass();
            await().atMost(BACK).until(() -> put(server) == 201);
            System.out.println("PROOF outage postgresql: the server answered after "
                    + Duration.ofNanos(System.nanoTime() - back).toMillis() + " ms");
        }
    }

    /** Asks the application's pool who calls, unless it was told a moment ago, and stores by Turno's. */
    private int put(RunningServer server) {
        String message = "{\"id\":\"order-" + sent++ + "\",\"body\":{}}";
        return server.send("POST", "/api/v1/inboxes/orders/messages", RunningServer.ADMIN, message)
                .statusCode();
    }
}
