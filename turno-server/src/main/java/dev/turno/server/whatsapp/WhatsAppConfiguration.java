package dev.turno.server.whatsapp;

import dev.turno.Turno;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** The endpoint for WhatsApp, where its secrets are given. */
@Configuration(proxyBeanMethods = false)
@ConditionalOnProperty("turno.whatsapp.app-secret")
@EnableConfigurationProperties(WhatsAppConfiguration.Properties.class)
class WhatsAppConfiguration {

    /**
     * WhatsApp Cloud API.
     *
     * @param buffer the buffer that its messages wait in
     * @param verifyToken what was entered beside the address of the webhook
     * @param appSecret of the app, with which Meta signs
     */
    @ConfigurationProperties("turno.whatsapp")
    record Properties(
            @DefaultValue("whatsapp") String buffer,
            @Nullable String verifyToken,
            @Nullable String appSecret) {

        @Override
        public String toString() {
            return "WhatsApp into buffer '" + buffer + "'";
        }
    }

    @Bean
    WhatsApp turnoWhatsApp(Turno turno, Properties properties) {
        return new WhatsApp(
                () -> turno.buffers(properties.buffer()),
                given(properties.verifyToken()),
                given(properties.appSecret()));
    }

    private static String given(@Nullable String text) {
        return text == null ? "" : text;
    }
}
