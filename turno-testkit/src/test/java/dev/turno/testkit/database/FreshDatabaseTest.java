package dev.turno.testkit.database;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.zaxxer.hikari.HikariDataSource;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.Test;

@OnEveryDatabase
class FreshDatabaseTest {

    private final FreshDatabase database;

    FreshDatabaseTest(FreshDatabase database) {
        this.database = database;
    }

    @Test
    void a_fresh_database_is_empty() throws SQLException {
        assertThat(Sql.tables(database)).isZero();
    }

    @Test
    void two_databases_do_not_see_each_other() throws SQLException {
        try (FreshDatabase other = database.kind().fresh()) {
            Sql.execute(database.dataSource(), "create table mine (id int)");

            assertThat(Sql.tables(database)).isEqualTo(1);
            assertThat(Sql.tables(other)).isZero();
        }
    }

    @Test
    void a_database_that_was_used_and_closed_never_comes_back() throws SQLException {
        Set<String> urls = new HashSet<>();
        for (int round = 0; round < 3; round++) {
            try (FreshDatabase next = database.kind().fresh()) {
                assertThat(urls.add(next.url())).isTrue();
                assertThat(Sql.tables(next)).isZero();
                Sql.execute(next.dataSource(), "create table t (id int primary key)", "insert into t values (1)");
            }
        }
    }

    @Test
    void it_is_dropped_whoever_is_still_connected() throws SQLException {
        FreshDatabase next = database.kind().fresh();
        try (Connection leftOver = DriverManager.getConnection(next.url(), next.user(), next.password())) {
            leftOver.createStatement().execute("create table t (id int)");
            leftOver.setAutoCommit(false);
            leftOver.createStatement().execute("insert into t values (1)");

            next.close();

            assertThatThrownBy(() -> leftOver.createStatement().executeQuery("select * from t"))
                    .isInstanceOf(SQLException.class);
        }
    }

    @Test
    void its_pools_are_bounded_and_closed_with_it() throws SQLException {
        FreshDatabase next = database.kind().fresh();
        HikariDataSource pool = next.newPool(next.url(), 3);
        Sql.execute(pool, "create table t (id int)");
        assertThat(next.dataSource()).isNotSameAs(pool).isSameAs(next.dataSource());

        next.close();

        assertThat(pool.getMaximumPoolSize()).isEqualTo(3);
        assertThat(pool.isClosed()).isTrue();
        assertThatThrownBy(() -> next.newPool(next.url(), 1)).hasMessageContaining("is closed");
    }

    @Test
    void closing_it_twice_is_closing_it_once_and_nobody_shares_what_is_used_again() {
        FreshDatabase next = database.kind().fresh();

        next.close();
        next.close();

        try (FreshDatabase one = database.kind().fresh();
                FreshDatabase other = database.kind().fresh()) {
            assertThat(one.url()).isNotEqualTo(other.url());
        }
    }
}
