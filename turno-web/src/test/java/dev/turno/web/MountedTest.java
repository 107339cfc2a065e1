package dev.turno.web;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariDataSource;
import dev.turno.spring.TurnoDataSource;
import dev.turno.testkit.database.TestDatabase;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;
import org.springframework.context.annotation.Primary;
import org.springframework.jdbc.core.simple.JdbcClient;
import shop.ShopController;

/** Turno in an application with routes, errors and databases of its own. */
@Timeout(60)
class MountedTest {

    @EnableAutoConfiguration
    @Import(ShopController.class)
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

        private static HikariDataSource database(String name) {
            HikariDataSource source = new HikariDataSource();
            source.setJdbcUrl("jdbc:h2:mem:mounted-" + name + ";DB_CLOSE_DELAY=-1");
            return source;
        }
    }

    @Test
    void turnos_tables_are_in_the_marked_database_and_the_applications_errors_and_routes_are_its_own() {
        try (ConfigurableApplicationContext context = SpringApplication.run(
                Shop.class,
                "--server.port=0",
                "--turno.web.guard=/nothing/**",
                "--turno.admin.token=" + ApiServer.ADMIN,
                "--spring.main.banner-mode=off")) {
            ApiServer.Client client = ApiServer.client(context);

            assertThat(tokens(context, "marked")).isEqualTo(1);
            assertThat(tables(context, "shop")).isZero();
            assertThat(client.send("GET", "/shop/open", "", "").body()).isEqualTo("open");
            ApiServer.Answer failed = client.send("GET", "/shop/bread", "", "");
            assertThat(failed.status()).isEqualTo(500);
            assertThat(failed.body()).doesNotContain("no flour");
            assertThat(client.send("GET", "/api/v1/inboxes", "", "").status())
                    .as("guarded however narrow the guard is")
                    .isEqualTo(401);
            ApiServer.Answer nothing = client.send("GET", "/api/v1/nothing", "", ApiServer.ADMIN);
            assertThat(nothing.status()).isEqualTo(404);
            assertThat(nothing.header("Content-Type")).startsWith("application/problem+json");
        }
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
        Thread.sleep(500);

        long asked = System.nanoTime();
        server.close();

        assertThat(Duration.ofNanos(System.nanoTime() - asked)).isLessThan(Duration.ofSeconds(10));
        assertThat(waiting.join().status()).isEqualTo(409);
    }

    @Test
    void what_stands_in_x_forwarded_for_is_not_believed() {
        try (ApiServer server = ApiServer.start(TestDatabase.H2, "--server.forward-headers-strategy=framework")) {
            server.send(
                    "POST",
                    "/api/v1/locks/x/force-release",
                    "{\"reason\":\"r\"}",
                    ApiServer.ADMIN,
                    "X-Forwarded-For",
                    "203.0.113.7");

            assertThat(server.get("/api/v1/audit").body()).contains("127.0.0.1").doesNotContain("203.0.113.7");
        }
    }
}
