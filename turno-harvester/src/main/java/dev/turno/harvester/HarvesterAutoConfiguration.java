package dev.turno.harvester;

import dev.turno.TurnoOptions.SchemaMode;
import dev.turno.action.Action;
import dev.turno.action.Actions;
import dev.turno.action.Subject;
import dev.turno.harvester.bitstream.BitstreamJobs;
import dev.turno.harvester.bitstream.Bitstreams;
import dev.turno.harvester.bitstream.DownloadOptions;
import dev.turno.harvester.bitstream.Downloader;
import dev.turno.harvester.bitstream.TextExtractor;
import dev.turno.harvester.entity.Entities;
import dev.turno.harvester.entity.EntityJob;
import dev.turno.harvester.harvest.HarvestJob;
import dev.turno.harvester.harvest.HarvestOptions;
import dev.turno.harvester.harvest.SourceCheck;
import dev.turno.harvester.harvest.StoreJobs;
import dev.turno.harvester.http.EntityController;
import dev.turno.harvester.http.NetworkController;
import dev.turno.harvester.http.RuleController;
import dev.turno.harvester.http.SnapshotController;
import dev.turno.harvester.index.FrontendCrosswalk;
import dev.turno.harvester.index.IndexJob;
import dev.turno.harvester.index.IndexKind;
import dev.turno.harvester.index.IndexStates;
import dev.turno.harvester.index.IndexTarget;
import dev.turno.harvester.index.LuceneTarget;
import dev.turno.harvester.index.SolrTarget;
import dev.turno.harvester.index.XoaiCrosswalk;
import dev.turno.harvester.network.Networks;
import dev.turno.harvester.network.Snapshots;
import dev.turno.harvester.network.StoredNetwork;
import dev.turno.harvester.oai.OaiClient;
import dev.turno.harvester.oai.OaiOptions;
import dev.turno.harvester.provider.OaiController;
import dev.turno.harvester.provider.OaiProvider;
import dev.turno.harvester.provider.OpenOaiController;
import dev.turno.harvester.provider.ProviderIdentity;
import dev.turno.harvester.publish.ForgetJob;
import dev.turno.harvester.publish.NetworkActions;
import dev.turno.harvester.publish.NetworkDesk;
import dev.turno.harvester.rules.Diagnosis;
import dev.turno.harvester.rules.RuleSets;
import dev.turno.harvester.rules.UrlJob;
import dev.turno.harvester.rules.ValidationJob;
import dev.turno.harvester.search.Search;
import dev.turno.harvester.search.SearchController;
import dev.turno.harvester.store.ParquetStore;
import dev.turno.harvester.walk.SnapshotWalk;
import dev.turno.harvester.web.HostGates;
import dev.turno.harvester.web.OutsideClient;
import dev.turno.run.Job;
import dev.turno.run.Runs;
import dev.turno.spring.Subjects;
import dev.turno.spring.TurnoAutoConfiguration;
import dev.turno.spring.TurnoProperties;
import dev.turno.web.dashboard.DashboardPart;
import dev.turno.web.security.OpenPaths;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import javax.sql.DataSource;
import org.springframework.beans.factory.BeanRegistrar;
import org.springframework.beans.factory.BeanRegistry;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.core.env.Environment;

/** The harvester in an application that has Turno; over HTTP where it has a web server. Before Turno itself, which looks for jobs. */
@AutoConfiguration(before = TurnoAutoConfiguration.class)
@ConditionalOnBooleanProperty(name = "turno.harvester.enabled", matchIfMissing = true)
@EnableConfigurationProperties(HarvesterProperties.class)
@Import(HarvesterAutoConfiguration.ActionBeans.class)
public class HarvesterAutoConfiguration {

    /** Each action as a bean, as the starter finds them. */
    static class ActionBeans implements BeanRegistrar {

        @Override
        public void register(BeanRegistry registry, Environment environment) {
            for (Action action : NetworkActions.all()) {
                registry.registerBean(
                        "harvester" + action.name(), Action.class, bean -> bean.supplier(context -> action));
            }
        }
    }

    private static boolean creates(TurnoProperties turno) {
        return turno.schema().mode() == SchemaMode.MIGRATE;
    }

    @Bean
    Networks harvesterNetworks(DataSource source, TurnoProperties turno) {
        Networks networks = new Networks(source);
        IndexStates states = new IndexStates(source);
        if (creates(turno)) {
            networks.createTables();
            states.createTables();
        }
        return networks;
    }

    @Bean
    Snapshots harvesterSnapshots(DataSource source, Networks tables) {
        return new Snapshots(source);
    }

    @Bean
    RuleSets harvesterRuleSets(DataSource source, TurnoProperties turno) {
        RuleSets ruleSets = new RuleSets(source);
        if (creates(turno)) {
            ruleSets.createTables();
        }
        return ruleSets;
    }

    @Bean
    Entities harvesterEntities(DataSource source, TurnoProperties turno) {
        Entities entities = new Entities(source);
        if (creates(turno)) {
            entities.createTables();
        }
        return entities;
    }

    @Bean
    Bitstreams harvesterBitstreams(DataSource source, TurnoProperties turno, HarvesterProperties properties) {
        Bitstreams bitstreams = new Bitstreams(source, properties.folder().resolve("bitstreams"));
        if (creates(turno)) {
            bitstreams.createTables();
        }
        return bitstreams;
    }

    @Bean
    ParquetStore harvesterStore(DataSource source, Snapshots snapshots, HarvesterProperties properties) {
        return new ParquetStore(properties.folder().resolve("records"), source, snapshots);
    }

    @Bean
    SnapshotWalk harvesterWalk(Networks networks, Snapshots snapshots, ParquetStore store) {
        return new SnapshotWalk(networks, snapshots, store);
    }

    /** Where documents go. */
    @Configuration(proxyBeanMethods = false)
    @ConditionalOnProperty("turno.harvester.solr.url")
    static class InSolr {

        @Bean
        IndexTarget harvesterFrontend(HarvesterProperties properties) {
            HarvesterProperties.Solr solr = properties.solr();
            return SolrTarget.open(IndexKind.FRONTEND, String.valueOf(solr.url()), solr.frontend());
        }

        @Bean
        IndexTarget harvesterXoai(HarvesterProperties properties) {
            HarvesterProperties.Solr solr = properties.solr();
            return SolrTarget.open(IndexKind.XOAI, String.valueOf(solr.url()), solr.xoai());
        }
    }

    /** Without a Solr, which would have better frontends than this search. */
    @Configuration(proxyBeanMethods = false)
    @ConditionalOnMissingBean(IndexTarget.class)
    static class InFolders {

        @Bean
        LuceneTarget harvesterFrontend(HarvesterProperties properties) {
            return LuceneTarget.open(
                    IndexKind.FRONTEND, properties.folder().resolve("index").resolve("frontend"));
        }

        @Bean
        LuceneTarget harvesterXoai(HarvesterProperties properties) {
            return LuceneTarget.open(
                    IndexKind.XOAI, properties.folder().resolve("index").resolve("xoai"));
        }

        @Bean
        @ConditionalOnWebApplication(type = ConditionalOnWebApplication.Type.SERVLET)
        SearchController harvesterSearchController(LuceneTarget harvesterFrontend) {
            return new SearchController(new Search(harvesterFrontend));
        }
    }

    /** What runs do. */
    @Configuration(proxyBeanMethods = false)
    static class Jobs {

        private static Job<?> named(List<Job<?>> jobs, String name) {
            return jobs.stream()
                    .filter(job -> job.name().equals(name))
                    .findFirst()
                    .orElseThrow();
        }

        @Bean
        Job<?> harvesterHarvest(
                HarvesterProperties properties, Networks networks, Snapshots snapshots, ParquetStore store) {
            HarvestOptions usual = HarvestOptions.defaults();
            HarvestOptions options = new HarvestOptions(
                    usual.client(),
                    properties.fetchIdentifyParameters(),
                    usual.prefixWithToken(),
                    properties.leastShare(),
                    properties.fullEvery(),
                    properties.maxFailures(),
                    usual.backoff(),
                    usual.partBytes(),
                    usual.longestChain());
            return new HarvestJob(options, networks, snapshots, store).job();
        }

        @Bean
        StoreJobs harvesterStoreJobs(Snapshots snapshots, ParquetStore store) {
            return new StoreJobs(snapshots, store);
        }

        @Bean
        Job<?> harvesterCompact(StoreJobs jobs) {
            return named(jobs.jobs(), StoreJobs.COMPACT);
        }

        @Bean
        Job<?> harvesterClean(StoreJobs jobs) {
            return named(jobs.jobs(), StoreJobs.CLEAN);
        }

        @Bean
        Job<?> harvesterRemove(StoreJobs jobs) {
            return named(jobs.jobs(), StoreJobs.REMOVE);
        }

        @Bean
        Job<?> harvesterForget(
                Networks networks, Entities entities, Bitstreams bitstreams, RuleSets tables, DataSource source) {
            return new ForgetJob(networks, entities, bitstreams, new Diagnosis(source)).job();
        }

        @Bean
        Job<?> harvesterValidate(DataSource source, SnapshotWalk walks, RuleSets ruleSets) {
            return new ValidationJob(source, walks, ruleSets).job();
        }

        @Bean
        OutsideClient harvesterOutsideClient(HarvesterProperties properties) {
            return new OutsideClient(properties.allow());
        }

        @Bean
        Job<?> harvesterCheckUrls(DataSource source, RuleSets tables, OutsideClient client) {
            return new UrlJob(source, new HostGates(1, Duration.ofSeconds(1)), client).job();
        }

        @Bean
        BitstreamJobs harvesterBitstreamJobs(SnapshotWalk walks, Bitstreams bitstreams, OutsideClient client) {
            Downloader downloader = new Downloader(DownloadOptions.defaults(), client);
            return new BitstreamJobs(walks, bitstreams, downloader, TextExtractor.usual());
        }

        @Bean
        Job<?> harvesterListBitstreams(BitstreamJobs jobs) {
            return named(jobs.jobs(), BitstreamJobs.LIST);
        }

        @Bean
        Job<?> harvesterDownloadBitstreams(BitstreamJobs jobs) {
            return named(jobs.jobs(), BitstreamJobs.DOWNLOAD);
        }

        @Bean
        Job<?> harvesterReadBitstreams(BitstreamJobs jobs) {
            return named(jobs.jobs(), BitstreamJobs.READ);
        }

        @Bean
        IndexJob harvesterFrontendJob(
                DataSource source, IndexTarget harvesterFrontend, SnapshotWalk walks, BitstreamJobs bitstreams) {
            return new IndexJob(source, harvesterFrontend, walks, new FrontendCrosswalk(bitstreams.fulltexts()));
        }

        @Bean
        IndexJob harvesterXoaiJob(DataSource source, IndexTarget harvesterXoai, SnapshotWalk walks) {
            return new IndexJob(source, harvesterXoai, walks, new XoaiCrosswalk());
        }

        @Bean
        Job<?> harvesterIndexFrontend(IndexJob harvesterFrontendJob) {
            return harvesterFrontendJob.job();
        }

        @Bean
        Job<?> harvesterDeleteFrontend(IndexJob harvesterFrontendJob) {
            return harvesterFrontendJob.deletion();
        }

        @Bean
        Job<?> harvesterIndexXoai(IndexJob harvesterXoaiJob) {
            return harvesterXoaiJob.job();
        }

        @Bean
        Job<?> harvesterDeleteXoai(IndexJob harvesterXoaiJob) {
            return harvesterXoaiJob.deletion();
        }

        @Bean
        Job<?> harvesterEntityJob(SnapshotWalk walks, Entities entities) {
            return new EntityJob(walks, entities).job();
        }
    }

    /** Networks are subjects with properties; whatever else an application has is a subject without. */
    @Bean
    @ConditionalOnMissingBean
    Subjects harvesterSubjects(Networks networks) {
        return id -> id.startsWith(StoredNetwork.PREFIX)
                ? networks.find(StoredNetwork.idOf(id)).map(NetworkDesk::subjectOf)
                : Optional.of(Subject.of(id));
    }

    @Bean
    NetworkDesk harvesterDesk(Networks networks, RuleSets ruleSets, Actions actions) {
        return new NetworkDesk(networks, ruleSets, actions);
    }

    /** Where there is a web server. */
    @Configuration(proxyBeanMethods = false)
    @ConditionalOnWebApplication(type = ConditionalOnWebApplication.Type.SERVLET)
    static class OverHttp {

        /** The views of this module in the dashboard. */
        @Bean
        DashboardPart harvesterDashboardPart() {
            return new DashboardPart("networks", "classpath:/dev/turno/harvester/dashboard/");
        }

        @Bean
        NetworkController harvesterNetworkController(
                Networks networks, Snapshots snapshots, RuleSets ruleSets, NetworkDesk desk) {
            SourceCheck check = new SourceCheck(new OaiClient(OaiOptions.defaults()));
            return new NetworkController(networks, snapshots, ruleSets, desk, check);
        }

        @Bean
        SnapshotController harvesterSnapshotController(
                Networks networks,
                Snapshots snapshots,
                ParquetStore store,
                DataSource source,
                RuleSets tables,
                Runs runs) {
            return new SnapshotController(networks, snapshots, store, new Diagnosis(source), runs);
        }

        @Bean
        RuleController harvesterRuleController(
                RuleSets ruleSets, Networks networks, Snapshots snapshots, ParquetStore store) {
            return new RuleController(ruleSets, networks, snapshots, store);
        }

        @Bean
        EntityController harvesterEntityController(Entities entities) {
            return new EntityController(entities);
        }

        @Bean
        OaiProvider harvesterOaiProvider(
                IndexTarget harvesterXoai, HarvesterProperties properties, Environment environment) {
            HarvesterProperties.Provider provider = properties.provider();
            String own = "http://" + environment.getProperty("server.address", "localhost") + ":"
                    + environment.getProperty("server.port", "8080") + "/oai";
            ProviderIdentity identity = new ProviderIdentity(
                    provider.name(),
                    Optional.ofNullable(provider.baseUrl()).orElse(own),
                    provider.namespace(),
                    provider.adminEmails());
            return new OaiProvider(harvesterXoai, identity);
        }

        @Bean
        @ConditionalOnBooleanProperty(name = "turno.harvester.open", havingValue = false, matchIfMissing = true)
        OaiController harvesterOaiController(OaiProvider provider) {
            return new OaiController(provider);
        }

        @Bean
        @ConditionalOnBooleanProperty("turno.harvester.open")
        OpenOaiController harvesterOpenOaiController(OaiProvider provider) {
            return new OpenOaiController(provider);
        }

        /** The page is for everybody; what it finds only if that was said. */
        @Bean
        @ConditionalOnBooleanProperty("turno.harvester.open")
        OpenPaths harvesterOpenPaths() {
            return OpenPaths.of("/api/v1/search");
        }
    }
}
