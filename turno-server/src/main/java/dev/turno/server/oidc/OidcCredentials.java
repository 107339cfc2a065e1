package dev.turno.server.oidc;

import dev.turno.web.security.Caller;
import dev.turno.web.security.Credentials;
import dev.turno.web.security.CredentialsAwayException;
import dev.turno.web.security.Role;
import java.util.Optional;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.security.oauth2.jwt.BadJwtException;
import org.springframework.security.oauth2.jwt.Jwt;
import org.springframework.security.oauth2.jwt.JwtDecoder;
import org.springframework.security.oauth2.jwt.JwtDecoderInitializationException;
import org.springframework.security.oauth2.jwt.JwtException;

/** Recognises JWTs of the provider; the claim says the role. Callers of the certification have tokens of Turno's own. */
final class OidcCredentials implements Credentials {

    private static final Logger LOG = LoggerFactory.getLogger(OidcCredentials.class);

    private final JwtDecoder decoder;
    private final String claim;

    OidcCredentials(JwtDecoder decoder, String claim) {
        this.decoder = decoder;
        this.claim = claim;
    }

    @Override
    public Optional<Caller> recognise(String presented) {
        if (presented.chars().filter(c -> c == '.').count() != 2) {
            return Optional.empty();
        }
        try {
            Jwt jwt = decoder.decode(presented);
            Role role = Role.of(String.valueOf(jwt.getClaimAsString(claim)));
            return role == Role.CALLER ? Optional.empty() : Optional.of(caller(jwt, role));
        } catch (BadJwtException | IllegalArgumentException e) {
            LOG.warn("A token of the OpenID provider was refused: {}", e.getMessage());
            return Optional.empty();
        } catch (JwtException | JwtDecoderInitializationException e) {
            throw new CredentialsAwayException(
                    "The OpenID provider could not be asked for its keys: " + e.getMessage(), e);
        }
    }

    private static Caller caller(Jwt jwt, Role role) {
        return new Caller(PersonName.of(jwt), role, Set.of(), Optional.ofNullable(jwt.getExpiresAt()));
    }
}
