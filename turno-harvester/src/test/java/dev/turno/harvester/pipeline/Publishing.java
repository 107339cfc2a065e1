package dev.turno.harvester.pipeline;

import dev.turno.Turno;
import dev.turno.TurnoOptions;
import dev.turno.harvester.entity.Entities;
import dev.turno.harvester.entity.EntityJob;
import dev.turno.harvester.harvest.HarvestJob;
import dev.turno.harvester.harvest.HarvestOptions;
import dev.turno.harvester.index.FrontendCrosswalk;
import dev.turno.harvester.index.IndexJob;
import dev.turno.harvester.index.IndexKind;
import dev.turno.harvester.index.IndexStates;
import dev.turno.harvester.index.LuceneTarget;
import dev.turno.harvester.index.XoaiCrosswalk;
import dev.turno.harvester.network.Networks;
import dev.turno.harvester.network.Snapshots;
import dev.turno.harvester.rules.RuleSets;
import dev.turno.harvester.rules.ValidationJob;
import dev.turno.harvester.store.ParquetStore;
import dev.turno.harvester.walk.SnapshotWalk;
import dev.turno.run.RunOptions;
import dev.turno.run.Runs;
import java.nio.file.Path;
import java.time.Duration;
import javax.sql.DataSource;

/** All jobs of a harvester in one process, over local indexes. */
final class Publishing implements AutoCloseable {

    final Networks networks;
    final Snapshots snapshots;
    final ParquetStore store;
    final RuleSets ruleSets;
    final Entities entities;
    final LuceneTarget frontend;
    final LuceneTarget xoai;
    final Turno turno;
    final Runs runs;

    Publishing(DataSource source, Path folder, Duration lease) {
        this(source, folder, lease, HarvestOptions.defaults());
    }

    Publishing(DataSource source, Path folder, Duration lease, HarvestOptions options) {
        networks = new Networks(source);
        snapshots = new Snapshots(source);
        store = new ParquetStore(folder.resolve("store"), source, snapshots);
        ruleSets = new RuleSets(source);
        entities = new Entities(source);
        createTables(source);
        frontend = LuceneTarget.open(IndexKind.FRONTEND, folder.resolve("frontend"));
        xoai = LuceneTarget.open(IndexKind.XOAI, folder.resolve("xoai"));
        turno = Turno.start(source, TurnoOptions.defaults().withLease(lease));
        runs = turno.runs(RunOptions.of(o -> o.poll(Duration.ofMillis(20))));
        addJobs(source, options);
        turno.work(runs);
    }

    private void createTables(DataSource source) {
        networks.createTables();
        ruleSets.createTables();
        entities.createTables();
        new IndexStates(source).createTables();
    }

    private void addJobs(DataSource source, HarvestOptions options) {
        SnapshotWalk walks = new SnapshotWalk(networks, snapshots, store);
        IndexJob toFrontend = new IndexJob(source, frontend, walks, new FrontendCrosswalk());
        IndexJob toXoai = new IndexJob(source, xoai, walks, new XoaiCrosswalk());
        runs.add(new HarvestJob(options, networks, snapshots, store).job())
                .add(new ValidationJob(source, walks, ruleSets).job())
                .add(toFrontend.job())
                .add(toFrontend.deletion())
                .add(toXoai.job())
                .add(toXoai.deletion())
                .add(new EntityJob(walks, entities).job());
    }

    @Override
    public void close() {
        turno.close();
        frontend.close();
        xoai.close();
    }
}
