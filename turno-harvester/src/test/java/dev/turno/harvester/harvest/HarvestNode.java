package dev.turno.harvester.harvest;

import com.zaxxer.hikari.HikariDataSource;
import dev.turno.Turno;
import dev.turno.TurnoOptions;
import dev.turno.harvester.network.Networks;
import dev.turno.harvester.network.Snapshots;
import dev.turno.harvester.store.ParquetStore;
import dev.turno.run.RunOptions;
import dev.turno.run.Runs;
import java.nio.file.Path;
import java.time.Duration;

/** A process that harvests until it is killed: URL, user, password, folder, bytes of a part. */
final class HarvestNode {

    private HarvestNode() {}

    public static void main(String[] arguments) throws Exception {
        try (HikariDataSource source = new HikariDataSource()) {
            source.setJdbcUrl(arguments[0]);
            source.setUsername(arguments[1]);
            source.setPassword(arguments[2]);
            source.setMaximumPoolSize(6);
            Networks networks = new Networks(source);
            Snapshots snapshots = new Snapshots(source);
            ParquetStore store = new ParquetStore(Path.of(arguments[3]), source, snapshots);
            HarvestOptions options = HarvestOptions.defaults().withPartBytes(Long.parseLong(arguments[4]));
            try (Turno turno = Turno.start(source, TurnoOptions.defaults().withLease(Duration.ofSeconds(2)))) {
                Runs runs = turno.runs(RunOptions.of(o -> o.poll(Duration.ofMillis(50))));
                runs.add(new HarvestJob(options, networks, snapshots, store).job());
                turno.work(runs);
                System.out.println("ready");
                Thread.sleep(Long.MAX_VALUE);
            }
        }
    }
}
