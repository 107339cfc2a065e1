package dev.turno.spring;

import dev.turno.Turno;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthIndicator;

/** DOWN while Turno cannot reach the database or one of its loops is dead. Work that is late is no illness: see the meters. */
final class TurnoHealth implements HealthIndicator {

    private final Turno turno;

    TurnoHealth(Turno turno) {
        this.turno = turno;
    }

    @Override
    public Health health() {
        Health.Builder health = turno.isHealthy()
                ? Health.up()
                : Health.down().withDetail("because", "The database cannot be reached; it is tried again and again.");
        return health.withDetail("holder", turno.holder().toString()).build();
    }
}
