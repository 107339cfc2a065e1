package dev.turno.server.webhook;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Webhooks of this server.
 *
 * @param allow what may be posted to although it is not a public address: addresses, ranges and host names, each also with a port
 * @param key seals the secrets in the database: the base64 of 32 random bytes, the same in all servers
 * @param inboxes webhooks of inboxes, by name
 * @param buffers webhooks of buffers, by name
 * @param tasks webhooks of task types, by name
 */
@ConfigurationProperties("turno.webhooks")
record WebhookProperties(
        @DefaultValue List<String> allow,
        @Nullable String key,
        @DefaultValue Map<String, Endpoint> inboxes,
        @DefaultValue Map<String, Endpoint> buffers,
        @DefaultValue Map<String, Endpoint> tasks) {

    /**
     * A webhook.
     *
     * @param url where to post
     * @param secret {@code whsec_} and base64
     * @param timeout for one post as a whole
     * @param options of the inbox, buffer or task type, by name
     */
    record Endpoint(
            String url,
            String secret,
            @DefaultValue("10s") Duration timeout,
            @DefaultValue Map<String, String> options) {

        Target target(Target.Kind kind, String name) {
            Webhook webhook = new Webhook(Webhook.url(url), timeout, Secret.of(secret), Optional.empty());
            return new Target(kind, name, options, Optional.of(webhook));
        }

        @Override
        public String toString() {
            return "a webhook";
        }
    }

    Webhooks.Options options(boolean migrate) {
        List<Target> fixed = new ArrayList<>();
        inboxes.forEach((name, endpoint) -> fixed.add(endpoint.target(Target.Kind.INBOX, name)));
        buffers.forEach((name, endpoint) -> fixed.add(endpoint.target(Target.Kind.BUFFER, name)));
        tasks.forEach((name, endpoint) -> fixed.add(endpoint.target(Target.Kind.TASK, name)));
        return new Webhooks.Options(allow, Optional.ofNullable(key).filter(text -> !text.isBlank()), fixed, migrate);
    }

    @Override
    public String toString() {
        return "the webhooks of the configuration";
    }
}
