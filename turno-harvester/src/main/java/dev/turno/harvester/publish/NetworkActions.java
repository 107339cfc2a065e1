package dev.turno.harvester.publish;

import dev.turno.action.Action;
import dev.turno.harvester.bitstream.BitstreamJobs;
import dev.turno.harvester.entity.EntityJob;
import dev.turno.harvester.harvest.HarvestJob;
import dev.turno.harvester.harvest.StoreJobs;
import dev.turno.harvester.index.IndexJob;
import dev.turno.harvester.index.IndexKind;
import dev.turno.harvester.network.NetworkProperty;
import dev.turno.harvester.rules.UrlJob;
import dev.turno.harvester.rules.ValidationJob;
import java.util.List;

/** The actions on networks, in the order in which a schedule runs them. Their jobs must have been added to the runs. */
public final class NetworkActions {

    /** Removes a network with all it has; its last job forgets the network itself. */
    public static final String DELETE = "NETWORK_DELETE_ACTION";

    private NetworkActions() {}

    public static List<Action> all() {
        return List.of(
                Action.of(
                        "HARVESTING_ACTION",
                        action -> action.description("Harvest")
                                .job(HarvestJob.NAME)
                                .property(NetworkProperty.FORCE_FULL_HARVESTING.name(), "Ask for everything each time?")
                                .incremental(true)
                                .alwaysRunOnSchedule()),
                Action.of(
                        "VALIDATION_ACTION",
                        action -> action.description("Validation and transformation")
                                .job(ValidationJob.NAME)
                                .property(NetworkProperty.VALIDATE.name(), "Judge records?")
                                .property(NetworkProperty.TRANSFORM.name(), "Transform records?")
                                .property(NetworkProperty.DETAILED_DIAGNOSE.name(), "Count values?")
                                .incremental(true)
                                .runOnSchedule()),
                Action.of(
                        "BITSTREAM_DOWNLOAD_ACTION",
                        action -> action.description("Download of files")
                                .job(BitstreamJobs.LIST)
                                .job(BitstreamJobs.DOWNLOAD)
                                .property(NetworkProperty.INDEX_FULLTEXT.name(), "Index the text of files?")
                                .runOnSchedule()),
                Action.of(
                        "BITSTREAM_FULLTEXT_ACTION",
                        action -> action.description("Text of files")
                                .job(BitstreamJobs.READ)
                                .property(NetworkProperty.INDEX_FULLTEXT.name(), "Index the text of files?")
                                .runOnSchedule()),
                Action.of(
                        "FRONTEND_INDEXING_ACTION",
                        action -> action.description("Indexing for searching")
                                .job(IndexJob.nameOf(IndexKind.FRONTEND))
                                .property(NetworkProperty.INDEX_FRONTEND.name(), "Index for searching?")
                                .incremental(true)
                                .runOnSchedule()),
                Action.of(
                        "FRONTEND_DELETE_ACTION",
                        action -> action.description("Removal from the search")
                                .job(IndexJob.deletionOf(IndexKind.FRONTEND))),
                Action.of(
                        "XOAI_INDEXING_ACTION",
                        action -> action.description("Indexing for the OAI-PMH provider")
                                .job(IndexJob.nameOf(IndexKind.XOAI))
                                .property(NetworkProperty.INDEX_XOAI.name(), "Index for the provider?")
                                .incremental(true)
                                .runOnSchedule()),
                Action.of(
                        "XOAI_DELETE_ACTION",
                        action -> action.description("Removal from the OAI-PMH provider")
                                .job(IndexJob.deletionOf(IndexKind.XOAI))),
                Action.of(
                        "ENTITY_EXTRACTION_ACTION",
                        action -> action.description("People, organisations, identifiers")
                                .job(EntityJob.NAME)),
                Action.of(
                        "URL_CHECK_ACTION",
                        action -> action.description("Whether the addresses exist that records name")
                                .job(UrlJob.NAME)),
                Action.of(
                        "NETWORK_CLEAN_ACTION",
                        action -> action.description("Removal of old snapshots, merging of files")
                                .job(StoreJobs.COMPACT)
                                .job(StoreJobs.CLEAN)
                                .property(NetworkProperty.CLEAN_NETWORK.name(), "Remove what is old?")
                                .runOnSchedule()),
                Action.of(
                        DELETE,
                        action -> action.description("Removal of a network and of all it has")
                                .job(IndexJob.deletionOf(IndexKind.FRONTEND))
                                .job(IndexJob.deletionOf(IndexKind.XOAI))
                                .job(StoreJobs.REMOVE)
                                .job(ForgetJob.NAME)));
    }
}
