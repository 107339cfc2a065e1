package dev.turno.server.oidc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.JWSHeader;
import com.nimbusds.jose.crypto.RSASSASigner;
import com.nimbusds.jose.jwk.JWKSet;
import com.nimbusds.jose.jwk.RSAKey;
import com.nimbusds.jose.jwk.gen.RSAKeyGenerator;
import com.nimbusds.jwt.JWTClaimsSet;
import com.nimbusds.jwt.PlainJWT;
import com.nimbusds.jwt.SignedJWT;
import com.sun.net.httpserver.HttpServer;
import dev.turno.web.security.Caller;
import dev.turno.web.security.CredentialsAwayException;
import dev.turno.web.security.Role;
import dev.turno.web.security.Tokens;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Date;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.springframework.mock.env.MockEnvironment;

/** With a provider of our own that publishes its key over HTTP. */
@Tag("security")
class OidcTest {

    private static final String ISSUER = "https://id.example";
    private final Instant end = Instant.now().plusSeconds(600).truncatedTo(ChronoUnit.SECONDS);

    /** Drawn once: that takes longer than all the rest. */
    private static final RSAKey KEY = draw();

    private static final RSAKey STRANGERS_KEY = draw();
    private final HttpServer provider;

    OidcTest() throws IOException {
        this.provider = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    }

    private static RSAKey draw() {
        try {
            return new RSAKeyGenerator(2048).keyID("one").generate();
        } catch (JOSEException e) {
            throw new IllegalStateException(e);
        }
    }

    @BeforeEach
    void publishTheKey() {
        byte[] keys = new JWKSet(KEY.toPublicJWK()).toString().getBytes(StandardCharsets.UTF_8);
        provider.createContext("/keys", exchange -> {
            exchange.sendResponseHeaders(200, keys.length);
            exchange.getResponseBody().write(keys);
            exchange.close();
        });
        provider.start();
    }

    @AfterEach
    void close() {
        provider.stop(0);
    }

    private OidcCredentials credentials() {
        return credentials(Map.of("audiences", "turno"));
    }

    private OidcCredentials credentials(Map<String, String> audiences) {
        MockEnvironment environment = new MockEnvironment()
                .withProperty(OidcConfiguration.PREFIX + "issuer-uri", ISSUER)
                .withProperty(
                        OidcConfiguration.PREFIX + "jwk-set-uri",
                        "http://127.0.0.1:" + provider.getAddress().getPort() + "/keys");
        audiences.forEach((name, value) -> environment.setProperty(OidcConfiguration.PREFIX + name, value));
        return new OidcConfiguration().turnoOidc(environment);
    }

    private JWTClaimsSet.Builder claims() {
        return new JWTClaimsSet.Builder()
                .issuer(ISSUER)
                .audience("turno")
                .subject("u-1")
                .claim("preferred_username", "ana")
                .claim("turno_role", "operator")
                .expirationTime(Date.from(end));
    }

    private static String signed(JWTClaimsSet claims, RSAKey by) throws JOSEException {
        SignedJWT jwt = new SignedJWT(
                new JWSHeader.Builder(JWSAlgorithm.RS256).keyID("one").build(), claims);
        jwt.sign(new RSASSASigner(by));
        return jwt.serialize();
    }

    @Test
    void a_token_of_the_provider_has_the_role_of_its_claim() throws JOSEException {
        Optional<Caller> caller = credentials().recognise(signed(claims().build(), KEY));

        assertThat(caller).contains(new Caller("oidc:ana/u-1", Role.OPERATOR, Set.of(), Optional.of(end)));
    }

    private String nameOf(JWTClaimsSet.Builder claims) throws JOSEException {
        return credentials()
                .recognise(signed(claims.build(), KEY))
                .orElseThrow()
                .name();
    }

    @Test
    void two_people_of_one_name_are_two() throws JOSEException {
        assertThat(nameOf(claims().subject("u-1"))).isEqualTo("oidc:ana/u-1");
        assertThat(nameOf(claims().subject("u-2"))).isEqualTo("oidc:ana/u-2");
    }

    @Test
    void nobody_gets_the_name_of_somebody_else_by_choosing_it() throws JOSEException {
        assertThat(nameOf(claims().claim("preferred_username", null).subject("u-2")))
                .isEqualTo("oidc:u-2");
        assertThat(nameOf(claims().claim("preferred_username", "ana/u-1").subject("u-2")))
                .isEqualTo("oidc:ana_u-1/u-2");
        assertThat(nameOf(claims().claim("preferred_username", "ana/u-1\nadmin").subject("u-2")))
                .isEqualTo("oidc:ana_u-1_admin/u-2");
        assertThat(nameOf(claims().claim("preferred_username", null).subject("ana/u-1")))
                .as("a subject with a slash")
                .startsWith("oidc:~")
                .hasSize(49);
    }

    @Test
    void people_with_long_names_and_subjects_are_told_apart() throws JOSEException {
        String name = "a" + "\uD83C\uDF75".repeat(60); // pairs that must not be cut in the middle
        String first = nameOf(claims().claim("preferred_username", name).subject("u".repeat(200) + 1));
        String second = nameOf(claims().claim("preferred_username", name).subject("u".repeat(200) + 2));

        assertThat(first)
                .isNotEqualTo(second)
                .hasSizeLessThanOrEqualTo(Tokens.LONGEST_NAME)
                .startsWith("oidc:a_");
        assertThat(nameOf(claims().claim("preferred_username", "ñandú@example.org")
                        .subject("0f8e7a52-1c57-4a7e-9a5d-2f3a4b5c6d7e")))
                .isEqualTo("oidc:ñandú@example.org/0f8e7a52-1c57-4a7e-9a5d-2f3a4b5c6d7e");
    }

    @Test
    void a_token_for_any_of_several_audiences_is_accepted() throws JOSEException {
        String forOps = signed(claims().audience("ops").build(), KEY);
        String forOthers = signed(claims().audience("shop").build(), KEY);

        for (Map<String, String> written :
                List.of(Map.of("audiences", "turno, ops"), Map.of("audiences[0]", "turno", "audiences[1]", "ops"))) {
            OidcCredentials credentials = credentials(written);

            assertThat(credentials.recognise(forOps)).as(written.toString()).isPresent();
            assertThat(credentials.recognise(forOthers)).as(written.toString()).isEmpty();
        }
    }

    @Test
    void a_provider_without_an_audience_is_refused_at_the_start() {
        assertThatThrownBy(() -> credentials(Map.of())).hasMessageContaining("audiences");
        assertThatThrownBy(() -> credentials(Map.of("audiences", ""))).hasMessageContaining("audiences");
    }

    @Test
    void a_provider_that_is_away_is_nobodys_fault() throws JOSEException {
        String token = signed(claims().build(), KEY);
        OidcCredentials credentials = credentials();
        MockEnvironment discovered = new MockEnvironment()
                .withProperty(
                        OidcConfiguration.PREFIX + "issuer-uri",
                        "http://127.0.0.1:" + provider.getAddress().getPort())
                .withProperty(OidcConfiguration.PREFIX + "audiences", "turno");
        provider.stop(0);

        assertThatThrownBy(() -> credentials.recognise(token)).isInstanceOf(CredentialsAwayException.class);
        assertThatThrownBy(() -> new OidcConfiguration().turnoOidc(discovered).recognise(token))
                .isInstanceOf(CredentialsAwayException.class);
    }

    @Test
    void whatever_is_wrong_with_a_token_nobody_gets_in() throws JOSEException {
        OidcCredentials credentials = credentials();

        assertThat(credentials.recognise(signed(claims().build(), STRANGERS_KEY)))
                .as("another key")
                .isEmpty();
        assertThat(credentials.recognise(new PlainJWT(claims().build()).serialize()))
                .as("no signature")
                .isEmpty();
        assertThat(credentials.recognise(
                        signed(claims().issuer("https://other.example").build(), KEY)))
                .as("another issuer")
                .isEmpty();
        assertThat(credentials.recognise(signed(claims().audience("shop").build(), KEY)))
                .as("for another application")
                .isEmpty();
        assertThat(credentials.recognise(signed(
                        claims().expirationTime(Date.from(Instant.now().minusSeconds(600)))
                                .build(),
                        KEY)))
                .as("expired")
                .isEmpty();
        assertThat(credentials.recognise(
                        signed(claims().claim("turno_role", null).build(), KEY)))
                .as("no role")
                .isEmpty();
        assertThat(credentials.recognise(
                        signed(claims().claim("turno_role", "god").build(), KEY)))
                .as("an unknown role")
                .isEmpty();
        assertThat(credentials.recognise(
                        signed(claims().claim("turno_role", "caller").build(), KEY)))
                .as("for the certification there are tokens of Turno's own")
                .isEmpty();
        assertThat(credentials.recognise(signed(claims().subject(null).build(), KEY)))
                .as("nobody's")
                .isEmpty();
        assertThat(credentials.recognise("turno_abc")).as("not a JWT").isEmpty();
    }
}
