package dev.turno.web.security;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.turno.TurnoOptions.SchemaMode;
import dev.turno.testkit.database.OnEveryDatabase;
import dev.turno.testkit.database.TestDatabase;
import dev.turno.web.ApiServer;
import dev.turno.web.security.Tokens.NewToken;
import dev.turno.web.tables.WebTables;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import javax.sql.DataSource;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.springframework.jdbc.core.simple.JdbcClient;

@Tag("security")
@OnEveryDatabase
class TokensTest {

    private final DataSource source;
    private final String namespace = "n" + UUID.randomUUID().toString().replace("-", "");
    private final Tokens tokens;
    private long now = 3;

    TokensTest(TestDatabase kind) {
        this.source = ApiServer.on(kind).dataSource();
        this.tokens = another();
    }

    /** The tokens as another process sees them. */
    private Tokens another() {
        return new Tokens(WebTables.open(source, namespace, SchemaMode.VALIDATE), () -> now);
    }

    private NewToken viewer(Duration expiresIn) {
        return tokens.create("viewer", Role.VIEWER, Set.of(), Optional.of(expiresIn), "test");
    }

    /** As if the time that they were given had passed. */
    private void endAll() {
        JdbcClient.create(source)
                .sql("update turno_token set expires_at = created_at where namespace = :namespace")
                .param("namespace", namespace)
                .update();
    }

    @Test
    void a_token_ends_at_its_time() {
        String token = viewer(Duration.ofHours(1)).token();
        assertThat(another().recognise(token)).isPresent();

        endAll();

        assertThat(another().recognise(token)).isEmpty();
    }

    @Test
    void times_that_make_no_sense_are_refused() {
        for (Duration wrong : new Duration[] {
            Duration.ZERO,
            Duration.ofSeconds(-1),
            Duration.ofMillis(999),
            Duration.ofDays(3_651),
            Duration.ofSeconds(Long.MAX_VALUE)
        }) {
            assertThatThrownBy(() -> viewer(wrong))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("expiresIn");
        }
        assertThat(viewer(Duration.ofDays(3_650)).token()).isNotEmpty();
    }

    @Test
    void what_is_revoked_here_is_refused_elsewhere_after_two_seconds() {
        NewToken token = viewer(Duration.ofHours(1));
        Tokens elsewhere = another();
        assertThat(elsewhere.recognise(token.token())).isPresent();

        tokens.revoke(token.id());

        assertThat(tokens.recognise(token.token())).isEmpty();
        now += Duration.ofSeconds(2).toNanos();
        assertThat(elsewhere.recognise(token.token())).isEmpty();
    }

    @Test
    void a_token_of_another_namespace_is_worth_nothing() {
        String token = viewer(Duration.ofHours(1)).token();

        assertThat(new Tokens(WebTables.open(source, "another", SchemaMode.NONE)).recognise(token))
                .isEmpty();
    }

    @Test
    void only_the_hash_is_stored() throws Exception {
        String token = viewer(Duration.ofHours(1)).token();
        byte[] hash = MessageDigest.getInstance("SHA-256").digest(token.getBytes(StandardCharsets.UTF_8));

        assertThat(JdbcClient.create(source)
                        .sql("select hash from turno_token where namespace = :namespace")
                        .param("namespace", namespace)
                        .query(String.class)
                        .single())
                .isEqualTo(String.format("%064x", new BigInteger(1, hash)));
    }

    @Test
    void a_session_ends_when_the_credential_does_that_it_was_begun_with() {
        Instant now = Instant.parse("2030-01-01T10:00:00Z");
        Caller ana = new Caller("oidc:ana", Role.OPERATOR, Set.of());

        assertThat(Sessions.lasts(ana, now)).isEqualTo(Duration.ofHours(12));
        assertThat(Sessions.lasts(until(ana, now.plusSeconds(600)), now)).isEqualTo(Duration.ofMinutes(10));
        assertThat(Sessions.lasts(until(ana, now.plusSeconds(86_400)), now)).isEqualTo(Duration.ofHours(12));
        assertThat(Sessions.lasts(until(ana, now.minusSeconds(1)), now)).isEqualTo(Duration.ZERO);
        String session = tokens.createSession(ana, "a.b.c", Duration.ofHours(1));
        assertThat(another().recognise(session)).contains(ana);
        endAll();
        assertThat(another().recognise(session)).isEmpty();
    }

    private static Caller until(Caller caller, Instant moment) {
        return new Caller(caller.name(), caller.role(), caller.afores(), Optional.of(moment));
    }
}
