package dev.turno.server;

import dev.turno.spring.PatientPools;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.context.annotation.Bean;

/** The server: the API, and whatever the packages beside this one and the other modules contribute. */
@SpringBootApplication(proxyBeanMethods = false)
public class TurnoServer {

    /** Requests use other connections than Turno, and are to be answered as soon after an outage. */
    @Bean
    static PatientPools patientPools() {
        return new PatientPools();
    }
}
