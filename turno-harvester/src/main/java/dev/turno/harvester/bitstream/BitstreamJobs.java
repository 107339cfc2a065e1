package dev.turno.harvester.bitstream;

import dev.turno.harvester.index.FrontendCrosswalk;
import dev.turno.harvester.index.IndexDocument;
import dev.turno.harvester.index.IndexJob;
import dev.turno.harvester.network.NetworkProperty;
import dev.turno.harvester.network.StoredNetwork;
import dev.turno.harvester.rules.FieldXml;
import dev.turno.harvester.rules.Fields;
import dev.turno.harvester.walk.SnapshotWalk;
import dev.turno.harvester.walk.Walk;
import dev.turno.harvester.walk.Walked;
import dev.turno.run.Job;
import dev.turno.run.Page;
import dev.turno.run.PageTurn;
import dev.turno.run.RunTurn;
import dev.turno.run.Source;
import dev.turno.run.Step;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * Makes three jobs: one finds the files that valid records name, one downloads them, one reads their text. Shared by threads.
 */
public final class BitstreamJobs {

    public static final String LIST = "list-bitstreams";
    public static final String DOWNLOAD = "download-bitstreams";
    public static final String READ = "read-bitstreams";

    private static final Pattern FILE = Pattern.compile(
            "https?://[^\\s]+(?:\\.(?:pdf|txt)|/bitstreams?/[^\\s]+|/download/[^\\s]+)", Pattern.CASE_INSENSITIVE);
    private static final List<String> FIELDS = List.of("dc.identifier", "dc.relation", "dc.source", "dc.format");
    private static final int MOST_FILES = 20;

    private final SnapshotWalk walks;
    private final Bitstreams bitstreams;
    private final Downloader downloader;
    private final TextExtractor extractor;
    private final FieldXml xml = new FieldXml();

    public BitstreamJobs(SnapshotWalk walks, Bitstreams bitstreams, Downloader downloader, TextExtractor extractor) {
        this.walks = walks;
        this.bitstreams = bitstreams;
        this.downloader = downloader;
        this.extractor = extractor;
    }

    public List<Job<?>> jobs() {
        return List.of(list(), download(), read());
    }

    private Job<?> list() {
        return Job.of(
                LIST,
                walks.source((run, network, snapshot) -> Walk.all(snapshot.id())),
                Step.whole(this::find),
                choices -> choices.pageSize(500).key(walked -> walked.record().identifier()));
    }

    private void find(List<Walked> items, PageTurn page) {
        if (items.isEmpty()) {
            return;
        }
        long network = items.get(0).batch().network().id();
        List<String> hashes = new ArrayList<>();
        List<Bitstreams.Named> named = new ArrayList<>();
        for (Walked item : items) {
            String hash = IndexDocument.idOf(network, item.record().identifier());
            hashes.add(hash);
            if (IndexJob.isShown(item.batch().network(), item.record())) {
                urls(item.record().published())
                        .forEach(url -> named.add(
                                new Bitstreams.Named(hash, item.record().identifier(), url)));
            }
        }
        bitstreams.add(page.connection(), network, hashes, named);
    }

    private List<String> urls(String metadata) {
        try {
            Fields fields = xml.read(metadata);
            return FIELDS.stream()
                    .flatMap(field -> fields.of(field).stream())
                    .filter(value -> FILE.matcher(value).matches())
                    .distinct()
                    .limit(MOST_FILES)
                    .toList();
        } catch (IllegalArgumentException e) {
            return List.of();
        }
    }

    private Job<?> download() {
        return Job.of(
                DOWNLOAD,
                waiting(BitstreamState.NEW),
                Step.outside(Step.<Bitstream>each((file, page) -> fetch(file))),
                choices -> choices.pageSize(10).key(Bitstream::url));
    }

    /** Those in a state, by their numbers. One that got there after the run passed its place waits for the next run. */
    private Source<Bitstream> waiting(BitstreamState state) {
        return run -> Source.<Bitstream>paged((cursor, size) -> page(run, state, cursor, size))
                .open(run);
    }

    private Optional<Page<Bitstream>> page(RunTurn run, BitstreamState state, Optional<String> cursor, int size) {
        long network = walks.network(run).id();
        List<Bitstream> found =
                bitstreams.waiting(network, state, cursor.map(Long::parseLong).orElse(0L), size);
        return found.isEmpty()
                ? Optional.empty()
                : Optional.of(new Page<>(
                        found, Long.toString(found.get(found.size() - 1).id())));
    }

    private void fetch(Bitstream file) throws InterruptedException {
        bitstreams.downloaded(file, downloader.download(file.url(), bitstreams.file(file)));
    }

    private Job<?> read() {
        return Job.of(
                READ,
                waiting(BitstreamState.DOWNLOADED),
                Step.outside(Step.<Bitstream>each((file, page) -> readText(file))),
                choices -> choices.pageSize(10).key(Bitstream::url));
    }

    private void readText(Bitstream bitstream) {
        Path file = bitstreams.file(bitstream);
        try {
            Optional<String> text = extractor.text(file, bitstream.mediaType().orElse(""));
            if (text.isPresent()) {
                // As bytes: a text is refused for half a character, which a PDF can have, and which a cut can leave.
                Files.write(bitstreams.text(bitstream), text.get().getBytes(StandardCharsets.UTF_8));
            }
            BitstreamState state = text.isPresent() ? BitstreamState.READ : BitstreamState.NO_TEXT;
            bitstreams.read(bitstream, state, Files.size(file), null);
        } catch (IOException e) {
            bitstreams.read(bitstream, BitstreamState.NO_TEXT, 0, String.valueOf(e.getMessage()));
        }
    }

    /** The text of a record's files, for networks whose full text is indexed. */
    public FrontendCrosswalk.Fulltexts fulltexts() {
        return (network, identifier) ->
                network.network().has(NetworkProperty.INDEX_FULLTEXT) ? text(network, identifier) : Optional.empty();
    }

    private Optional<String> text(StoredNetwork network, String identifier) {
        StringBuilder all = new StringBuilder();
        for (Bitstream one : bitstreams.ofRecord(network.id(), IndexDocument.idOf(network.id(), identifier))) {
            if (one.state() == BitstreamState.READ) {
                all.append(readBack(bitstreams.text(one))).append('\n');
            }
        }
        return all.isEmpty() ? Optional.empty() : Optional.of(all.toString());
    }

    private static String readBack(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw new UncheckedIOException(
                    "The text in " + file + " cannot be read; read the network's files again.", e);
        }
    }
}
