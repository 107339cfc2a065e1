package dev.turno.benchmarks.put;

import com.zaxxer.hikari.HikariDataSource;
import dev.turno.benchmarks.runners.Runner;
import dev.turno.testkit.database.TestDatabase;

/** A peer's own way of storing items. Nothing runs them. */
record RunnerPuts(Runner runner) implements Contestant {

    @Override
    public String who() {
        return runner.who();
    }

    @Override
    public void create(HikariDataSource pool, TestDatabase kind) throws Exception {
        runner.create(pool, kind);
    }

    @Override
    public Open open(HikariDataSource pool, TestDatabase kind) throws Exception {
        Runner.Node node = runner.open(pool, kind);
        return new Open() {
            @Override
            public Putter putter() {
                return new Putter() {
                    @Override
                    public void one(int number) throws Exception {
                        node.put(number);
                    }

                    @Override
                    public void many(int from, int to) throws Exception {
                        node.putAll(from, to);
                    }
                };
            }

            @Override
            public long stored() throws Exception {
                return node.left();
            }

            @Override
            public void close() {
                node.close();
            }
        };
    }
}
