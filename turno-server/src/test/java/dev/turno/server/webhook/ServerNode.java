package dev.turno.server.webhook;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.turno.Turno;
import dev.turno.TurnoOptions;
import dev.turno.testkit.process.ParentWatch;
import java.time.Duration;

/** The part of a server that posts webhooks, in a process of its own: {@code url user password node}. */
final class ServerNode {

    static final String READY = "ready";

    /** One that is declared dead while it only stands still posts with a fence that is no longer the highest. */
    static final Duration LEASE = Duration.ofSeconds(5);

    private ServerNode() {}

    public static void main(String[] words) throws InterruptedException {
        ParentWatch.exitWithParent();
        HikariConfig config = new HikariConfig();
        config.setJdbcUrl(words[0]);
        config.setUsername(words[1]);
        config.setPassword(words[2]);
        config.setMaximumPoolSize(8);
        HikariDataSource source = new HikariDataSource(config);
        Turno turno =
                Turno.start(source, TurnoOptions.defaults().withNode(words[3]).withLease(LEASE));
        Webhooks.open(turno, source, "default", Webhooks.Options.allowing("127.0.0.1"))
                .begin();
        System.out.println(READY);
        Thread.currentThread().join();
    }
}
