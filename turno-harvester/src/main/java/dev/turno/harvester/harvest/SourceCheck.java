package dev.turno.harvester.harvest;

import dev.turno.harvester.network.Network;
import dev.turno.harvester.oai.Identity;
import dev.turno.harvester.oai.ListRequest;
import dev.turno.harvester.oai.OaiClient;
import dev.turno.harvester.oai.OaiException;
import dev.turno.harvester.oai.OaiPage;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Looks at a source before anything is stored. Shared by threads. */
public final class SourceCheck {

    /**
     * What was found.
     *
     * @param usable whether a harvest would begin
     * @param records on the first page
     * @param listSize how many records there are in all, if the source tells
     * @param warnings what somebody should know, or mend
     */
    public record Finding(
            boolean usable,
            Optional<Identity> identity,
            List<String> formats,
            List<String> sets,
            long records,
            Optional<Long> listSize,
            List<String> warnings) {}

    private final OaiClient client;

    public SourceCheck(OaiClient client) {
        this.client = client;
    }

    public Finding check(Network network) {
        List<String> warnings = new ArrayList<>();
        Optional<Identity> identity =
                asking("Identify", warnings, () -> client.identify(network.originUrl(), () -> false));
        identity.ifPresent(known -> warnings.addAll(known.warnings()));
        identity.filter(known -> !known.keepsDeletions())
                .ifPresent(known -> warnings.add("It does not remember deletions for good (" + known.deletedRecord()
                        + "); everything is asked for now and then."));
        List<String> formats = asking(
                        "ListMetadataFormats", warnings, () -> client.formats(network.originUrl(), () -> false))
                .orElse(List.of());
        if (!formats.isEmpty() && !formats.contains(network.metadataPrefix())) {
            warnings.add("It does not offer " + network.metadataPrefix() + ", but " + String.join(", ", formats) + ".");
        }
        List<String> sets = asking("ListSets", warnings, () -> client.sets(network.originUrl(), () -> false))
                .orElse(List.of());
        network.sets().stream()
                .filter(set -> !sets.isEmpty() && !sets.contains(set))
                .forEach(set -> warnings.add("It has no set '" + set + "'."));
        return firstPage(network, identity, formats, sets, warnings);
    }

    private Finding firstPage(
            Network network,
            Optional<Identity> identity,
            List<String> formats,
            List<String> sets,
            List<String> warnings) {
        PageSink sink = new PageSink();
        ListRequest request = new ListRequest(
                network.originUrl(),
                network.metadataPrefix(),
                network.sets().stream().findFirst(),
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                false);
        Optional<OaiPage> page = asking("ListRecords", warnings, () -> client.listRecords(request, sink, () -> false));
        page.ifPresent(known -> warnings.addAll(known.warnings()));
        page.flatMap(OaiPage::error)
                .ifPresent(error -> warnings.add("ListRecords: " + error.code() + ": " + error.message()));
        sink.bad().forEach(bad -> warnings.add("Record '" + bad.identifier() + "' cannot be used: " + bad.why()));
        long records = sink.buffer.records() + sink.buffer.deletions();
        sink.buffer.close();
        boolean usable = page.isPresent() && page.get().error().isEmpty();
        return new Finding(
                usable, identity, formats, sets, records, page.flatMap(OaiPage::listSize), List.copyOf(warnings));
    }

    @FunctionalInterface
    private interface Asking<T> {
        T ask() throws OaiException;
    }

    private static <T> Optional<T> asking(String verb, List<String> warnings, Asking<T> asking) {
        try {
            return Optional.of(asking.ask());
        } catch (OaiException e) {
            warnings.add(verb + ": " + e.getMessage());
            return Optional.empty();
        }
    }
}
