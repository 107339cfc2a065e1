/**
 * Sign-in by an OpenID Connect provider beside Turno's own tokens.
 *
 * <p><b>What for:</b> whoever sends a JWT of the provider in {@code spring.security.oauth2.resourceserver.jwt.issuer-uri} is let in with the
 * role that its claim names. <b>Start at</b> {@link dev.turno.server.oidc.OidcCredentials}. <b>Does not</b> exist unless the issuer is set.
 */
@NullMarked
package dev.turno.server.oidc;

import org.jspecify.annotations.NullMarked;
