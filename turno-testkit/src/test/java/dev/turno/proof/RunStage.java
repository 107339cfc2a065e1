package dev.turno.proof;

import com.zaxxer.hikari.HikariDataSource;
import dev.turno.Turno;
import dev.turno.TurnoOptions;
import dev.turno.run.Runs;
import dev.turno.testkit.database.FreshDatabase;
import dev.turno.testkit.process.ChildProcess;
import dev.turno.testkit.process.Launch;
import java.io.IOException;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** A database with Turno's tables, a {@link LockLedger}, and {@link RunNode}s on it, which end with it. */
final class RunStage implements AutoCloseable {

    private final FreshDatabase database;
    private final Duration lease;
    private final HikariDataSource pool;
    private final Turno turno;
    private final LockLedger ledger;
    private final Runs runs;
    private final List<ChildProcess> nodes = new ArrayList<>();

    private RunStage(FreshDatabase database, Duration lease) throws IOException {
        this.database = database;
        this.lease = lease;
        this.pool = Pools.openForTheTest(database, 8);
        // It submits and looks, works nothing itself, and notices the dead.
        this.turno = Turno.start(pool, TurnoOptions.defaults().withNode("test").withLease(lease));
        this.ledger = LockLedger.open();
        this.runs = turno.runs(RunNode.options());
        runs.add(RunNode.hop(0, "test"));
    }

    static RunStage on(FreshDatabase database, Duration lease) throws IOException {
        return new RunStage(database, lease);
    }

    Runs runs() {
        return runs;
    }

    LockLedger ledger() {
        return ledger;
    }

    HikariDataSource pool() {
        return pool;
    }

    ChildProcess node(String name) {
        ChildProcess node = Launch.main(RunNode.class)
                .arguments("url=" + database.url(), "user=" + database.user(), "password=" + database.password())
                .arguments("node=" + name, "lease=" + lease.toMillis(), "ledger=" + ledger.port())
                .start();
        nodes.add(node);
        return node;
    }

    static ChildProcess ready(ChildProcess node) {
        node.awaitLine(RunNode.READY::equals, Stage.SOON);
        return node;
    }

    /** Kills it, and says so in the ledger: from here on it is in no lane. */
    void kill(ChildProcess node, String name) throws IOException {
        node.kill9();
        try (LockLedger.Client client = LockLedger.Client.open(ledger.port())) {
            client.say("killed " + name);
        }
    }

    long number(String query) throws SQLException {
        try (Connection connection = pool.getConnection();
                Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(query)) {
            row.next();
            return row.getLong(1);
        }
    }

    void execute(String sql) throws SQLException {
        try (Connection connection = pool.getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    @Override
    public void close() throws IOException {
        nodes.forEach(ChildProcess::close);
        turno.close();
        pool.close();
        ledger.close();
    }
}
