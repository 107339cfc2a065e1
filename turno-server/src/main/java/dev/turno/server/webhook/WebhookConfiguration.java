package dev.turno.server.webhook;

import dev.turno.Turno;
import dev.turno.TurnoOptions.SchemaMode;
import dev.turno.spring.Connections;
import dev.turno.spring.TurnoProperties;
import dev.turno.spring.TurnoWork;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** Webhooks, begun and drained with the rest of the work. */
@Configuration(proxyBeanMethods = false)
@EnableConfigurationProperties(WebhookProperties.class)
class WebhookConfiguration {

    @Bean
    Webhooks turnoWebhooks(
            Turno turno, Connections connections, TurnoProperties turnoProperties, WebhookProperties properties) {
        boolean migrate = turnoProperties.schema().mode() == SchemaMode.MIGRATE;
        return Webhooks.open(turno, connections.committing(), turnoProperties.namespace(), properties.options(migrate));
    }

    @Bean
    TurnoWork turnoWebhookWork(Webhooks webhooks) {
        return turno -> webhooks.begin();
    }
}
