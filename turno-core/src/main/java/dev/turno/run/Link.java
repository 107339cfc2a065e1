package dev.turno.run;

import java.util.ArrayList;
import java.util.List;
import java.util.NavigableSet;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/** A link of a chain as it is stored: with the lanes of its job, since another process may come to submit it. */
record Link(String job, Optional<String> action, boolean incremental, NavigableSet<String> lanes) {

    static Link of(
            String job, Optional<String> action, boolean incremental, Set<String> ofJob, Optional<String> subject) {
        NavigableSet<String> lanes = new TreeSet<>(ofJob);
        subject.ifPresent(lanes::add);
        return new Link(job, action, incremental, lanes);
    }

    static String stored(List<Link> chain) {
        return Names.lines(
                "chain",
                chain.stream()
                        .map(link -> {
                            List<String> line = new ArrayList<>(List.of(
                                    link.job(), link.action().orElse(""), Boolean.toString(link.incremental())));
                            line.addAll(link.lanes());
                            return line;
                        })
                        .toList());
    }

    static List<Link> read(String stored) {
        return Names.lines(stored).stream()
                .map(line -> new Link(
                        line.get(0),
                        Optional.of(line.get(1)).filter(action -> !action.isEmpty()),
                        Boolean.parseBoolean(line.get(2)),
                        new TreeSet<>(line.subList(3, line.size()))))
                .toList();
    }
}
