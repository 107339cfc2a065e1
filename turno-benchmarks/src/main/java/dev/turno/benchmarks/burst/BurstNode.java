package dev.turno.benchmarks.burst;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.turno.testkit.process.ParentWatch;

/** One process of a contestant. Obeys {@code count} and {@code print}. */
final class BurstNode {

    static final String READY = "ready";
    private static final int CONNECTIONS = 60;

    private BurstNode() {}

    /** @param words who, then URL, user and password of the database */
    public static void main(String[] words) throws Exception {
        ParentWatch.exitWithParent(BurstNode::hear);
        HikariConfig config = new HikariConfig();
        config.setJdbcUrl(words[1]);
        config.setUsername(words[2]);
        config.setPassword(words[3]);
        config.setMaximumPoolSize(CONNECTIONS);
        config.setMinimumIdle(10);
        Burst.contestant(words[0]).run(new HikariDataSource(config));
        System.out.println(READY);
        Thread.currentThread().join();
    }

    private static void hear(String line) {
        switch (line) {
            case "count" -> System.out.println("count " + Starts.count());
            case "print" -> Starts.print();
            default -> throw new IllegalArgumentException("What is '" + line + "'?");
        }
    }
}
