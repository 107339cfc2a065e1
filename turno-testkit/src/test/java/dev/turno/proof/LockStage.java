package dev.turno.proof;

import com.zaxxer.hikari.HikariDataSource;
import dev.turno.Turno;
import dev.turno.TurnoOptions;
import dev.turno.lock.LockTerms;
import dev.turno.lock.Locks;
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

/** A database with Turno's tables, a {@link LockLedger}, and {@link LockNode}s on it, which end with it. */
final class LockStage implements AutoCloseable {

    private final FreshDatabase database;
    private final HikariDataSource pool;
    private final Turno turno;
    private final LockLedger ledger;
    private final List<ChildProcess> nodes = new ArrayList<>();

    private LockStage(FreshDatabase database) throws IOException, SQLException {
        this.database = database;
        this.pool = Pools.openForTheTest(database, 8);
        this.turno = Turno.start(pool, TurnoOptions.defaults().withNode("test").withLease(Duration.ofHours(1)));
        this.ledger = LockLedger.open();
        execute("create table if not exists " + LockNode.TABLE + " (node varchar(200))");
    }

    static LockStage on(FreshDatabase database) throws IOException, SQLException {
        return new LockStage(database);
    }

    /** Another instance on the same database, in this process. */
    static LockStage beside(LockStage stage) throws IOException, SQLException {
        return new LockStage(stage.database);
    }

    LockLedger ledger() {
        return ledger;
    }

    /** Of the test itself, without a clean-up but by hand. */
    Locks locks() {
        return turno.locks(LockTerms.of(t -> t.cleanUp(false).keep(Duration.ofSeconds(1))));
    }

    ChildProcess node(String name, Duration lease) {
        ChildProcess node = Launch.main(LockNode.class)
                .arguments("url=" + database.url(), "user=" + database.user(), "password=" + database.password())
                .arguments("node=" + name, "lease=" + lease.toMillis(), "ledger=" + ledger.port())
                .start();
        nodes.add(node);
        node.awaitLine(LockNode.READY::equals, Stage.SOON);
        return node;
    }

    private void execute(String sql) throws SQLException {
        try (Connection connection = pool.getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    /** Which nodes wrote, as the database has it. */
    List<String> effects() throws SQLException {
        List<String> effects = new ArrayList<>();
        try (Connection connection = pool.getConnection();
                Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery("select node from " + LockNode.TABLE)) {
            while (row.next()) {
                effects.add(row.getString(1));
            }
        }
        return effects;
    }

    @Override
    public void close() throws IOException {
        nodes.forEach(ChildProcess::close);
        turno.close();
        pool.close();
        ledger.close();
    }
}
