package dev.turno.benchmarks.runners;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.turno.testkit.database.TestDatabase;

/** One process of a runner that runs whatever is stored. */
public final class RunnerNode {

    private RunnerNode() {}

    /** @param words who, then the kind, URL, user and password of the database */
    public static void main(String[] words) throws Exception {
        Starts.hearParent();
        HikariDataSource pool = pool(words, Runner.CONNECTIONS);
        Runner.Node node = Runners.named(words[0]).open(pool, TestDatabase.valueOf(words[1]));
        node.start(Starts::started);
        Starts.readyForParent();
    }

    /** A pool as such a process has it, from the same words. */
    public static HikariDataSource pool(String[] words, int connections) {
        HikariConfig config = new HikariConfig();
        config.setJdbcUrl(words[2]);
        config.setUsername(words[3]);
        config.setPassword(words[4]);
        config.setMaximumPoolSize(connections);
        config.setMinimumIdle(10);
        return new HikariDataSource(config);
    }
}
