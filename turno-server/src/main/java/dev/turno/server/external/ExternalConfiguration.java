package dev.turno.server.external;

import dev.turno.Turno;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** External workers. */
@Configuration(proxyBeanMethods = false)
class ExternalConfiguration {

    @Bean
    ExternalWorkers turnoExternalWorkers(Turno turno) {
        return new ExternalWorkers(turno);
    }
}
