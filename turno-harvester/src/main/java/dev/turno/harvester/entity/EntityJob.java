package dev.turno.harvester.entity;

import dev.turno.harvester.index.IndexDocument;
import dev.turno.harvester.network.StoredNetwork;
import dev.turno.harvester.record.RecordStatus;
import dev.turno.harvester.record.StoredRecord;
import dev.turno.harvester.rules.FieldXml;
import dev.turno.harvester.walk.SnapshotWalk;
import dev.turno.harvester.walk.Walk;
import dev.turno.harvester.walk.Walked;
import dev.turno.run.Job;
import dev.turno.run.PageTurn;
import dev.turno.run.RunTurn;
import dev.turno.run.Step;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Makes the job that finds the entities of a network's valid records. Shared by threads. */
public final class EntityJob {

    public static final String NAME = "entities";
    private static final String LANE = "100";

    private final SnapshotWalk walks;
    private final Entities entities;
    private final EntityFinder finder = new EntityFinder();
    private final FieldXml xml = new FieldXml();

    public EntityJob(SnapshotWalk walks, Entities entities) {
        this.walks = walks;
        this.entities = entities;
    }

    public Job<?> job() {
        return Job.of(
                NAME,
                walks.source((run, network, snapshot) -> Walk.all(snapshot.id())),
                Step.whole(this::find),
                choices -> choices.pageSize(200)
                        .lane(LANE)
                        .key(walked -> walked.record().identifier())
                        .afterRun(this::forgetOld));
    }

    /** All records that the snapshot shows were looked at, so what is known from others is not there any more. */
    private void forgetOld(RunTurn run) throws Exception {
        StoredNetwork network = walks.network(run);
        Walk walk = walks.walk(run, network, (turn, found, snapshot) -> Walk.all(snapshot.id()));
        entities.forgetOld(network.id(), walk.snapshot());
    }

    private void find(List<Walked> items, PageTurn page) {
        List<String> hashes = new ArrayList<>();
        List<Entities.Found> found = new ArrayList<>();
        for (Walked item : items) {
            StoredNetwork network = item.batch().network();
            String hash = IndexDocument.idOf(network.id(), item.record().identifier());
            hashes.add(hash);
            found(network, hash, item.batch().at().snapshot(), item.record()).ifPresent(found::add);
        }
        entities.replace(page.connection(), hashes, found);
    }

    private Optional<Entities.Found> found(StoredNetwork network, String hash, long snapshot, StoredRecord record) {
        if (record.status() != RecordStatus.VALID) {
            return Optional.empty();
        }
        try {
            return Optional.of(new Entities.Found(
                    network.id(), hash, record.identifier(), snapshot, finder.find(xml.read(record.published()))));
        } catch (IllegalArgumentException e) {
            return Optional.empty();
        }
    }
}
