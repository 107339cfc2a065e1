package dev.turno.web.dashboard;

import java.util.List;
import java.util.Optional;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * What people may see.
 *
 * @param hideBodies nobody sees the body of a message, task or burst; handlers, webhooks and workers do
 * @param traceUrl where a trace is looked at, with {@code {trace}} for its id; none: the id is shown without a link
 * @param redact names of fields that nobody sees in bodies that are JSON, however deep they are
 */
@ConfigurationProperties("turno.dashboard")
public record DashboardProperties(
        @DefaultValue("false") boolean hideBodies,
        Optional<String> traceUrl,
        @DefaultValue List<String> redact) {}
