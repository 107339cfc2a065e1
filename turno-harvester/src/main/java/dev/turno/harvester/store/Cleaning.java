package dev.turno.harvester.store;

import dev.turno.harvester.network.Snapshot;
import dev.turno.harvester.network.Snapshots;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Removes what nobody needs any more: snapshots that the last good one does not show, and files that no row names. Only while no other run
 * of the network is under way. Shared by threads.
 */
public final class Cleaning {

    private static final int MOST = 1_000;

    private final ParquetStore store;
    private final Snapshots snapshots;

    public Cleaning(ParquetStore store, Snapshots snapshots) {
        this.store = store;
        this.snapshots = snapshots;
    }

    /** The snapshots of a network that can go: older than the last good one and not below it. Newer ones may be resumed. */
    public List<Snapshot> removable(long network) {
        Optional<Snapshot> good = snapshots.lastGood(network);
        if (good.isEmpty()) {
            return List.of();
        }
        Set<Long> needed =
                store.chain(good.get().id()).stream().map(Snapshot::id).collect(Collectors.toCollection(HashSet::new));
        return snapshots.list(network, Optional.of(good.get().id()), MOST).stream()
                .filter(snapshot -> !needed.contains(snapshot.id()))
                .toList();
    }

    /** All snapshots of a network, for its removal: what is left behind then nobody looks after any more. */
    public List<Snapshot> all(long network) {
        List<Snapshot> all = new ArrayList<>(snapshots.list(network, Optional.empty(), MOST));
        for (int known = 0; known < all.size(); ) {
            known = all.size();
            long oldest = all.get(known - 1).id();
            all.addAll(snapshots.list(network, Optional.of(oldest), MOST));
        }
        return all;
    }

    /** Forgets snapshots in the caller's transaction; their files go with the next {@link #sweep}. */
    public void forget(Connection connection, List<Snapshot> some) {
        some.forEach(snapshot -> snapshots.remove(connection, snapshot.id()));
    }

    /** Removes the files of a network that nobody knows; answers how many. */
    public int sweep(long network) throws IOException {
        store.forgetWalks();
        Path folder = store.base().resolve("network-" + network);
        if (!Files.isDirectory(folder)) {
            return 0;
        }
        List<Path> snaps;
        try (Stream<Path> all = Files.list(folder)) {
            snaps = all.filter(path -> path.getFileName().toString().startsWith("snap-"))
                    .toList();
        }
        int removed = 0;
        for (Path snap : snaps) {
            long id = Long.parseLong(snap.getFileName().toString().substring("snap-".length()));
            Optional<Snapshot> known = snapshots.find(id);
            removed += known.isEmpty() ? removeAll(snap) : sweep(known.get(), snap);
        }
        return removed;
    }

    private int sweep(Snapshot snapshot, Path snap) throws IOException {
        if (!snapshot.status().isGood()) {
            return 0; // it may be resumed, and needs its spool
        }
        Set<Path> needed = new HashSet<>();
        for (Part part : store.parts().of(snapshot)) {
            ResultSpool.settle(part);
            needed.add(part.file());
            needed.add(Ids.of(part.file()));
            part.results().ifPresent(needed::add);
        }
        List<Path> unknown;
        try (Stream<Path> files = Files.list(snap)) {
            unknown = files.filter(Files::isRegularFile)
                    .filter(file -> !needed.contains(file))
                    .filter(file ->
                            !file.getFileName().toString().startsWith("results-")) // of a run that may be resumed
                    .toList();
        }
        for (Path file : unknown) {
            Files.deleteIfExists(file);
        }
        return unknown.size();
    }

    private static int removeAll(Path folder) throws IOException {
        List<Path> all;
        try (Stream<Path> files = Files.walk(folder)) {
            all = new ArrayList<>(files.sorted(Comparator.reverseOrder()).toList());
        }
        for (Path path : all) {
            Files.deleteIfExists(path);
        }
        return all.size();
    }
}
