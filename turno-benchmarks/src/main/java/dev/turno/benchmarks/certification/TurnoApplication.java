package dev.turno.benchmarks.certification;

import dev.turno.certification.notification.NotificationSender;
import dev.turno.claim.Result;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** The service as it is, with a receiver of notifications that answers at once. */
@Configuration
@EnableAutoConfiguration
public class TurnoApplication {

    static final String ADMIN = "an-admin-token-for-the-benchmark-alone-0123";

    @Bean
    NotificationSender sender() {
        return (id, body) -> Result.done();
    }
}
