package dev.turno.spring;

import dev.turno.TurnoOptions;
import dev.turno.TurnoOptions.SchemaMode;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * How Turno runs in this application.
 *
 * @param enabled whether there is a Turno at all
 * @param namespace applications that share a database and have different namespaces never see each other's rows
 * @param node the name under which people see this process; by default that of the machine
 * @param poll how long an idle loop waits before it looks again
 * @param drain how long running handlers may go on when the application stops
 */
@ConfigurationProperties("turno")
public record TurnoProperties(
        @DefaultValue("true") boolean enabled,
        @DefaultValue("default") String namespace,
        @Nullable String node,
        @DefaultValue("1s") Duration poll,
        @DefaultValue("10s") Duration drain,
        @DefaultValue Holder holder,
        @DefaultValue Schema schema,
        @DefaultValue Pool pool) {

    /**
     * The process as the others see it.
     *
     * @param lease how long this process is believed to be alive without a sign of life
     */
    public record Holder(@DefaultValue("15s") Duration lease) {}

    /**
     * Turno's tables.
     *
     * @param mode what to do about them at start-up
     */
    public record Schema(@DefaultValue("migrate") SchemaMode mode) {}

    /**
     * Turno's own connections.
     *
     * @param own whether Turno has a pool of its own, made like the application's, so that busy handlers cannot keep it from giving its
     *     sign of life
     * @param size the most connections of that pool: one for the heartbeat, one to listen on PostgreSQL, one for locks, two for each
     *     handler; more are needed only while much is put at once
     */
    public record Pool(@DefaultValue("true") boolean own, @DefaultValue("10") int size) {}

    TurnoOptions options() {
        TurnoOptions options = TurnoOptions.defaults()
                .withNamespace(namespace)
                .withLease(holder.lease())
                .withSchema(schema.mode())
                .withDrain(drain);
        return node == null ? options : options.withNode(node);
    }
}
