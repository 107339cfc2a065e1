package dev.turno.server.oidc;

import java.util.Collections;
import java.util.List;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.env.Environment;
import org.springframework.security.oauth2.core.DelegatingOAuth2TokenValidator;
import org.springframework.security.oauth2.jwt.Jwt;
import org.springframework.security.oauth2.jwt.JwtClaimNames;
import org.springframework.security.oauth2.jwt.JwtClaimValidator;
import org.springframework.security.oauth2.jwt.JwtValidators;
import org.springframework.security.oauth2.jwt.NimbusJwtDecoder;
import org.springframework.security.oauth2.jwt.SupplierJwtDecoder;

@Configuration(proxyBeanMethods = false)
@ConditionalOnProperty(OidcConfiguration.PREFIX + "issuer-uri")
class OidcConfiguration {

    static final String PREFIX = "spring.security.oauth2.resourceserver.jwt.";

    /** The provider is asked for its keys when the first token comes: it may start after this server. */
    @Bean
    OidcCredentials turnoOidc(Environment environment) {
        String issuer = environment.getRequiredProperty(PREFIX + "issuer-uri");
        String keys = environment.getProperty(PREFIX + "jwk-set-uri", "");
        List<String> audiences = audiences(environment);
        String claim = environment.getProperty("turno.oidc.role-claim", "turno_role");
        return new OidcCredentials(new SupplierJwtDecoder(() -> decoder(issuer, keys, audiences)), claim);
    }

    /** A list, as Boot has it: with commas, or an entry each. */
    private static List<String> audiences(Environment environment) {
        List<String> audiences = Binder.get(environment)
                .bind(PREFIX + "audiences", Bindable.listOf(String.class))
                .orElse(List.of());
        if (audiences.isEmpty()) {
            throw new IllegalStateException(
                    "Set " + PREFIX + "audiences to what this server is called in the provider's tokens:"
                            + " without it, those that were made for other applications would be good here too.");
        }
        return audiences;
    }

    /** Only tokens that were made for this server, under any of its names: the provider gives others to other applications. */
    private static NimbusJwtDecoder decoder(String issuer, String keys, List<String> audiences) {
        NimbusJwtDecoder decoder = keys.isEmpty()
                ? NimbusJwtDecoder.withIssuerLocation(issuer).build()
                : NimbusJwtDecoder.withJwkSetUri(keys).build();
        decoder.setJwtValidator(new DelegatingOAuth2TokenValidator<Jwt>(
                JwtValidators.createDefaultWithIssuer(issuer),
                new JwtClaimValidator<List<String>>(
                        JwtClaimNames.AUD, found -> found != null && !Collections.disjoint(found, audiences))));
        return decoder;
    }
}
