package dev.turno.web.security;

import static org.assertj.core.api.Assertions.assertThat;

import dev.turno.TurnoOptions.SchemaMode;
import dev.turno.testkit.database.OnEveryDatabase;
import dev.turno.testkit.database.TestDatabase;
import dev.turno.web.ApiServer;
import dev.turno.web.tables.WebTables;
import java.sql.Timestamp;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.springframework.jdbc.core.simple.JdbcClient;

@Tag("security")
@OnEveryDatabase
class AuditTest {

    private static final Caller ANA = new Caller("ana", Role.OPERATOR, Set.of());

    private final TestDatabase kind;
    private final JdbcClient jdbc;
    private final Audit audit;

    AuditTest(TestDatabase kind) {
        this.kind = kind;
        var source = ApiServer.on(kind).dataSource();
        this.jdbc = JdbcClient.create(source);
        this.audit = new Audit(WebTables.open(source, "n" + UUID.randomUUID(), SchemaMode.NONE));
    }

    private long entry(String action, Duration age) {
        long id = audit.begin(ANA, "127.0.0.1", action, Optional.empty());
        jdbc.sql("update turno_audit set begun_at = :at where id = :id")
                .param("at", Timestamp.from(Instant.now().minus(age)))
                .param("id", id)
                .update();
        return id;
    }

    private List<String> actions() {
        return audit.list(Long.MAX_VALUE, 100).stream().map(Audit.Entry::action).toList();
    }

    @Test
    void entries_older_than_four_hundred_days_go_when_a_thousandth_is_written() {
        entry("old", Duration.ofDays(402));
        long young = entry("young", Duration.ofDays(398));
        assertThat(actions()).containsExactly("young", "old");

        long thousandth = (young / 1_000 + 1) * 1_000;
        jdbc.sql("alter table turno_audit "
                        + (kind == TestDatabase.MARIADB ? "auto_increment = " : "alter column id restart with ")
                        + thousandth)
                .update();
        assertThat(entry("now", Duration.ZERO)).isEqualTo(thousandth);

        assertThat(actions()).containsExactly("now", "young");
    }

    @Test
    void nobody_can_forge_a_line_or_write_without_end() {
        long id = audit.begin(ANA, "127.0.0.1", "POST /a\r\nfaked " + "x".repeat(600), Optional.of("so\nthat"));
        audit.end(id, 200, Optional.empty(), Optional.of("y".repeat(2_000)));

        Audit.Entry entry = audit.list(Long.MAX_VALUE, 1).get(0);

        assertThat(entry.action()).startsWith("POST /a  faked").hasSize(500);
        assertThat(entry.why()).isEqualTo("so that");
        assertThat(entry.details()).hasSize(1_000);
        assertThat(entry.status()).isEqualTo(200);
    }

    @Test
    void a_character_of_two_halves_is_not_cut_in_two() {
        audit.begin(ANA, "127.0.0.1", "POST /a", Optional.of("x" + "\uD83D\uDE00".repeat(400)));

        assertThat(audit.list(Long.MAX_VALUE, 1).get(0).why()).hasSize(499).endsWith("\uD83D\uDE00");
    }
}
