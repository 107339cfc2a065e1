package dev.turno.certification.proof;

import static org.assertj.core.api.Assertions.assertThat;

import dev.turno.spring.TurnoDataSource;
import dev.turno.testkit.database.FreshDatabase;
import dev.turno.testkit.database.TestDatabase;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;
import org.springframework.boot.SpringApplication;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Primary;
import org.springframework.jdbc.core.simple.JdbcClient;

class WiringTest {

    private static final FreshDatabase SHOP = TestDatabase.H2.fresh();
    private static final FreshDatabase TURNO = TestDatabase.H2.fresh();

    /** An application whose usual database is another one. */
    @Configuration
    public static class TwoDatabases {

        @Bean
        @Primary
        DataSource shop() {
            return SHOP.dataSource();
        }

        @Bean
        @TurnoDataSource
        DataSource work() {
            return TURNO.dataSource();
        }
    }

    @Test
    void requests_are_stored_where_turno_has_its_locks_in_an_application_with_two_databases() {
        Class<?>[] sources = {CertificationNode.class, TwoDatabases.class};
        try (SHOP;
                TURNO;
                ConfigurableApplicationContext node = SpringApplication.run(sources, new String[] {
                    "--server.port=0",
                    "--spring.main.banner-mode=off",
                    "--turno.admin.token=an-admin-token-for-tests-only-0123456789"
                })) {
            assertThat(node.isRunning()).isTrue();
            assertThat(tables(TURNO)).isEqualTo(1);
            assertThat(tables(SHOP)).isZero();
        }
    }

    private static int tables(FreshDatabase database) {
        return JdbcClient.create(database.dataSource())
                .sql("select count(*) from information_schema.tables where lower(table_name) = 'turno_certification'")
                .query(Integer.class)
                .single();
    }
}
