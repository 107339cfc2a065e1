package dev.turno.harvester.publish;

import dev.turno.harvester.bitstream.Bitstreams;
import dev.turno.harvester.entity.Entities;
import dev.turno.harvester.network.Networks;
import dev.turno.harvester.network.StoredNetwork;
import dev.turno.harvester.rules.Diagnosis;
import dev.turno.run.Job;
import dev.turno.run.Source;
import dev.turno.run.Step;
import java.io.IOException;

/** Makes the job that forgets a network: the last one of its removal, so that one that failed can be resumed. Shared by threads. */
public final class ForgetJob {

    public static final String NAME = "forget";

    private final Networks networks;
    private final Entities entities;
    private final Bitstreams bitstreams;
    private final Diagnosis diagnosis;

    public ForgetJob(Networks networks, Entities entities, Bitstreams bitstreams, Diagnosis diagnosis) {
        this.networks = networks;
        this.entities = entities;
        this.bitstreams = bitstreams;
        this.diagnosis = diagnosis;
    }

    public Job<?> job() {
        return Job.of(
                NAME,
                Source.<String>iterator(run -> run.subject().stream().iterator()),
                Step.outside(Step.<String>each((subject, page) -> forget(StoredNetwork.idOf(subject)))));
    }

    private void forget(long network) throws IOException {
        entities.forgetNetwork(network);
        bitstreams.forgetNetwork(network);
        diagnosis.sweep();
        networks.remove(network, "the action " + NetworkActions.DELETE);
    }
}
