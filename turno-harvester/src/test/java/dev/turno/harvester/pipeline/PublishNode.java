package dev.turno.harvester.pipeline;

import com.zaxxer.hikari.HikariDataSource;
import java.nio.file.Path;
import java.time.Duration;

/** A process with all jobs, until it is killed: URL, user, password, folder. */
final class PublishNode {

    private PublishNode() {}

    public static void main(String[] arguments) throws Exception {
        try (HikariDataSource source = new HikariDataSource()) {
            source.setJdbcUrl(arguments[0]);
            source.setUsername(arguments[1]);
            source.setPassword(arguments[2]);
            source.setMaximumPoolSize(8);
            try (Publishing all = new Publishing(source, Path.of(arguments[3]), Duration.ofSeconds(2))) {
                System.out.println("ready " + all.runs.jobs());
                Thread.sleep(Long.MAX_VALUE);
            }
        }
    }
}
