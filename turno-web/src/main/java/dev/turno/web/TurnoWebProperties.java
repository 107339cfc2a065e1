package dev.turno.web;

import java.util.List;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.util.unit.DataSize;

/**
 * How the HTTP API and the pages behave.
 *
 * @param guard the paths that need a credential; an application with routes of its own may narrow it to {@code /api/v1/**}, which
 *     always do, as does every route of Turno's
 * @param open paths that anybody may read, beside those that modules contribute
 * @param readable paths that viewers may read although they are no files and no routes of Turno's; all others are for admins
 * @param maxBody the longest body of a request
 * @param rate the most requests per second of one token, or of one address on open paths
 * @param contentPolicy the Content-Security-Policy of every answer
 */
@ConfigurationProperties("turno.web")
public record TurnoWebProperties(
        @DefaultValue("/**") List<String> guard,
        @DefaultValue("/actuator/health") List<String> open,

        @DefaultValue({"/actuator/health/**", "/actuator/info", "/actuator/metrics/**", "/actuator/prometheus"})
        List<String> readable,

        @DefaultValue("8MB") DataSize maxBody,
        @DefaultValue("5000") int rate,

        @DefaultValue(
                "default-src 'self'; object-src 'none'; base-uri 'self'; form-action 'self'; frame-ancestors 'none'")
        String contentPolicy) {}
