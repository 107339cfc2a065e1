package dev.turno.harvester;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * How the harvester runs.
 *
 * @param folder of records, files and local indexes; all instances must see the same
 * @param open whether anybody may search and harvest from here, without a token
 * @param fetchIdentifyParameters whether a source is asked who it is before it is harvested
 * @param leastShare the smallest share of the records before that a harvest may show without a person's word
 * @param fullEvery how often sources that forget deletions are asked for everything
 * @param maxFailures after so many failures of a source in a row its harvest fails
 * @param allow hosts that may be asked for files although they are in this machine's own network
 */
@ConfigurationProperties("turno.harvester")
public record HarvesterProperties(
        @DefaultValue("./data/harvest") Path folder,
        @DefaultValue("false") boolean open,
        @DefaultValue("true") boolean fetchIdentifyParameters,
        @DefaultValue("0.5") double leastShare,
        @DefaultValue("30d") Duration fullEvery,
        @DefaultValue("12") int maxFailures,
        @DefaultValue Set<String> allow,
        @DefaultValue Solr solr,
        @DefaultValue Provider provider) {

    /**
     * A Solr instead of the local indexes.
     *
     * @param url such as {@code http://solr:8983/solr}; none: the indexes are local
     * @param frontend the core or collection that people search
     * @param xoai the one that the OAI-PMH provider serves
     */
    public record Solr(
            @Nullable String url,
            @DefaultValue("biblio") String frontend,
            @DefaultValue("oai") String xoai) {}

    /**
     * How the OAI-PMH provider introduces itself.
     *
     * @param name as others read it
     * @param baseUrl as others reach it; none: by this server's own address and port
     * @param namespace the middle of its identifiers
     * @param adminEmails of those who answer for it
     */
    public record Provider(
            @DefaultValue("Turno") String name,
            @Nullable String baseUrl,
            @DefaultValue("localhost") String namespace,
            @DefaultValue("admin@localhost.localdomain") List<String> adminEmails) {}
}
