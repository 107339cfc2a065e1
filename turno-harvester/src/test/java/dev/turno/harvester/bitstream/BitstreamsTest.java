package dev.turno.harvester.bitstream;

import static org.assertj.core.api.Assertions.assertThat;

import dev.turno.testkit.database.FreshDatabase;
import dev.turno.testkit.database.OnDatabase;
import dev.turno.testkit.database.TestDatabase;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.jdbc.core.simple.JdbcClient;

@OnDatabase(TestDatabase.H2)
class BitstreamsTest {

    private static final long NETWORK = 1;

    private final JdbcClient jdbc;
    private final Bitstreams bitstreams;

    BitstreamsTest(FreshDatabase database, @TempDir Path folder) throws SQLException {
        jdbc = JdbcClient.create(database.dataSource());
        bitstreams = new Bitstreams(database.dataSource(), folder);
        bitstreams.createTables();
        try (Connection connection = database.dataSource().getConnection()) {
            bitstreams.add(connection, NETWORK, List.of("a"), List.of(named("https://x.example/1.pdf")));
        }
    }

    private static Bitstreams.Named named(String url) {
        return new Bitstreams.Named("a", "oai:x:1", url);
    }

    private List<Bitstream> waiting() {
        return bitstreams.waiting(NETWORK, BitstreamState.NEW, 0, 10);
    }

    @Test
    void a_download_that_broke_off_waits_for_the_next_run_and_says_why() {
        bitstreams.downloaded(waiting().get(0), new Downloaded.Broken("the host is away"));

        assertThat(waiting()).hasSize(1);
        assertThat(jdbc.sql("select error from turno_bitstream")
                        .query(String.class)
                        .single())
                .isEqualTo("the host is away");
        assertThat(bitstreams.waiting(
                        NETWORK, BitstreamState.NEW, waiting().get(0).id(), 10))
                .as("behind its place")
                .isEmpty();
    }

    @Test
    void a_download_that_was_refused_is_not_tried_again() {
        bitstreams.downloaded(waiting().get(0), new Downloaded.Refused("it is gone"));

        assertThat(waiting()).isEmpty();
        assertThat(bitstreams.counts(NETWORK)).isEqualTo(Map.of(BitstreamState.FAILED, 1L));
    }
}
