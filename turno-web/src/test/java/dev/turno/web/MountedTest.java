package dev.turno.web;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.zaxxer.hikari.HikariDataSource;
import dev.turno.mounted.TillController;
import dev.turno.spring.TurnoDataSource;
import dev.turno.testkit.database.TestDatabase;
import dev.turno.web.security.Caller;
import dev.turno.web.security.Credentials;
import dev.turno.web.security.Role;
import jakarta.servlet.Filter;
import jakarta.servlet.http.HttpServletRequest;
import java.net.InetAddress;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.tomcat.TomcatWebServer;
import org.springframework.boot.web.server.context.WebServerApplicationContext;
import org.springframework.boot.web.servlet.FilterRegistrationBean;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;
import org.springframework.context.annotation.Primary;
import org.springframework.jdbc.core.simple.JdbcClient;
import shop.ShopController;

/** Turno in an application with routes, errors and databases of its own. */
@Timeout(120)
class MountedTest {

    private static final String BADGE = "badge-of-";
    private static final List<String> RANG = new CopyOnWriteArrayList<>();

    @EnableAutoConfiguration
    @Import({ShopController.class, TillController.class})
    static class Shop {

        @Bean
        @Primary
        DataSource shop() {
            return database("shop");
        }

        @Bean
        @TurnoDataSource
        DataSource marked() {
            return database("marked");
        }

        /** Another's credentials, of a kind that says when it ends. */
        @Bean
        Credentials badges() {
            return presented -> presented.startsWith(BADGE)
                    ? Optional.of(new Caller(
                            presented,
                            Role.OPERATOR,
                            Set.of(),
                            Optional.of(Instant.now().plusSeconds(600))))
                    : Optional.empty();
        }

        /** Sees whatever nobody answered before it. */
        @Bean
        FilterRegistrationBean<Filter> doorbell() {
            FilterRegistrationBean<Filter> registration = new FilterRegistrationBean<>((request, response, chain) -> {
                RANG.add(String.valueOf(((HttpServletRequest) request).getQueryString()));
                chain.doFilter(request, response);
            });
            registration.setOrder(0);
            return registration;
        }

        private static HikariDataSource database(String name) {
            HikariDataSource source = new HikariDataSource();
            source.setJdbcUrl("jdbc:h2:mem:mounted-" + name + ";DB_CLOSE_DELAY=-1");
            return source;
        }
    }

    /** A second is enough for one request of a token, and two come at once. */
    private static final ConfigurableApplicationContext SHOP = SpringApplication.run(
            Shop.class,
            "--server.port=0",
            "--turno.web.guard=/nothing/**",
            "--turno.web.rate=1",
            "--turno.admin.token=" + ApiServer.ADMIN,
            "--spring.main.banner-mode=off");

    private final ApiServer.Client client = ApiServer.client(SHOP);

    @AfterAll
    static void close() {
        SHOP.close();
    }

    @Test
    void turnos_tables_are_in_the_marked_database_and_the_applications_errors_and_routes_are_its_own() {
        assertThat(tokens(SHOP, "marked")).isEqualTo(1);
        assertThat(tables(SHOP, "shop")).isZero();
        assertThat(client.send("GET", "/shop/open", "", "").body()).isEqualTo("open");
        ApiServer.Answer failed = client.send("GET", "/shop/bread", "", "");
        assertThat(failed.status()).isEqualTo(500);
        assertThat(failed.body()).doesNotContain("no flour");
        assertThat(client.send("GET", "/api/v1/inboxes", "", "").status())
                .as("guarded however narrow the guard is")
                .isEqualTo(401);
        ApiServer.Answer nothing = client.send("GET", "/api/v1/nothing", "", BADGE + "nothing");
        assertThat(nothing.status()).isEqualTo(404);
        assertThat(nothing.header("Content-Type")).startsWith("application/problem+json");
    }

    @Test
    void routes_of_turnos_are_guarded_wherever_they_are_before_the_application_sees_a_request() {
        String badge = BADGE + "guard";

        assertThat(client.send("GET", "/till?silent", "", "").status()).isEqualTo(401);
        assertThat(client.send("GET", "/till?silent", "", "wrong").status()).isEqualTo(401);
        assertThat(client.send("GET", "/till?heard", "", badge).body()).isEqualTo("ten coins");
        assertThat(RANG).contains("heard").doesNotContain("silent");
        ApiServer.Answer broken = client.send("GET", "/till/broken", "", badge);
        assertThat(broken.status()).isEqualTo(500);
        assertThat(broken.body()).doesNotContain("mat").contains("the server's log has the details");
    }

    @Test
    void who_asks_too_often_has_to_wait_and_the_others_do_not() {
        List<ApiServer.Answer> answers = new ArrayList<>();
        do {
            answers.add(client.send("GET", "/till", "", BADGE + "often"));
        } while (answers.get(answers.size() - 1).status() == 200 && answers.size() < 100);

        ApiServer.Answer last = answers.get(answers.size() - 1);
        assertThat(last.status()).isEqualTo(429);
        assertThat(last.header("Retry-After")).isEqualTo("1");
        assertThat(answers).hasSizeGreaterThan(2);
        assertThat(client.send("GET", "/till", "", BADGE + "seldom").status()).isEqualTo(200);
    }

    @Test
    void a_session_lasts_no_longer_than_the_credential_of_anothers_that_it_was_begun_with() {
        String cookie =
                client.send("POST", "/api/v1/session", "", BADGE + "session").header("Set-Cookie");

        assertThat(Integer.parseInt(cookie.replaceFirst(".*Max-Age=(\\d+).*", "$1")))
                .isBetween(1, 600);
    }

    @Test
    void it_listens_on_this_machine_alone_unless_told_otherwise() {
        var server = (TomcatWebServer) Objects.requireNonNull(((WebServerApplicationContext) SHOP).getWebServer());

        assertThat(server.getTomcat().getConnector().getProperty("address"))
                .isEqualTo(InetAddress.getLoopbackAddress());
    }

    private static long tokens(ConfigurableApplicationContext context, String source) {
        return JdbcClient.create(context.getBean(source, DataSource.class))
                .sql("select count(*) from turno_token")
                .query(Long.class)
                .single();
    }

    private static long tables(ConfigurableApplicationContext context, String source) {
        return JdbcClient.create(context.getBean(source, DataSource.class))
                .sql("select count(*) from information_schema.tables where table_name like 'TURNO%'")
                .query(Long.class)
                .single();
    }

    @Test
    void the_server_stops_at_once_beside_requests_that_wait_for_a_lock() throws Exception {
        ApiServer server = ApiServer.start(TestDatabase.H2);
        server.post("/api/v1/locks/busy", "{\"holder\":\"a\",\"lease\":\"PT1M\"}");
        CompletableFuture<ApiServer.Answer> waiting =
                server.sendLater("POST", "/api/v1/locks/busy", "{\"holder\":\"b\",\"wait\":\"PT30S\"}");
        await().atMost(Duration.ofSeconds(20)).until(MountedTest::somebodyWaits);

        long asked = System.nanoTime();
        server.close();

        assertThat(Duration.ofNanos(System.nanoTime() - asked)).isLessThan(Duration.ofSeconds(20));
        assertThat(waiting.join().status()).isEqualTo(409);
    }

    private static boolean somebodyWaits() {
        return Thread.getAllStackTraces().values().stream()
                .flatMap(Arrays::stream)
                .anyMatch(frame -> frame.getClassName().endsWith(".WaitingPlaces"));
    }

    @Test
    void what_stands_in_x_forwarded_for_is_not_believed_and_a_pool_may_leave_commits_to_others() {
        try (ApiServer server = ApiServer.start(
                TestDatabase.H2,
                "--server.forward-headers-strategy=framework",
                "--spring.datasource.hikari.auto-commit=false")) {
            server.send(
                    "POST",
                    "/api/v1/locks/x/force-release",
                    "{\"reason\":\"r\"}",
                    ApiServer.ADMIN,
                    "X-Forwarded-For",
                    "203.0.113.7");

            assertThat(server.get("/api/v1/audit").body()).contains("127.0.0.1").doesNotContain("203.0.113.7");
            assertThat(server.send("POST", "/api/v1/session", "", ApiServer.ADMIN, "X-Forwarded-Proto", "https")
                            .header("Set-Cookie"))
                    .contains("Secure");
            whatCannotBeWrittenDownIsNotDone(server);
        }
    }

    private static void whatCannotBeWrittenDownIsNotDone(ApiServer server) {
        server.post("/api/v1/inboxes/orders/messages", "{\"body\":\"x\"}");
        JdbcClient.create(server.dataSource())
                .sql("alter table turno_audit rename to turno_audit_away")
                .update();

        assertThat(server.post("/api/v1/inboxes/orders/pause", "").status()).isEqualTo(503);

        assertThat(server.turno().inbox("orders").isPaused()).isFalse();
    }
}
