package dev.turno.harvester.rules;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** What the rules found in one page. Belongs to one thread. */
final class PageFindings {

    /** What one rule found. */
    static final class Tally {

        private static final int MOST_SAMPLES = 20;

        private final int place;
        private long holds;
        private long breaks;
        private final List<String> holders = new ArrayList<>();
        private final List<String> breakers = new ArrayList<>();
        private final Map<String, Long> good = new HashMap<>();
        private final Map<String, Long> bad = new HashMap<>();

        Tally(int place) {
            this.place = place;
        }

        private void add(String identifier, Finding finding, boolean detailed) {
            List<String> samples = finding.holds() ? holders : breakers;
            if (samples.size() < MOST_SAMPLES) {
                samples.add(identifier);
            }
            holds += finding.holds() ? 1 : 0;
            breaks += finding.holds() ? 0 : 1;
            if (detailed) {
                finding.good().forEach(value -> good.merge(value, 1L, Long::sum));
                finding.bad().forEach(value -> bad.merge(value, 1L, Long::sum));
            }
        }

        int place() {
            return place;
        }

        long holds() {
            return holds;
        }

        long breaks() {
            return breaks;
        }

        List<String> holders() {
            return holders;
        }

        List<String> breakers() {
            return breakers;
        }

        Map<String, Long> good() {
            return good;
        }

        Map<String, Long> bad() {
            return bad;
        }
    }

    private final List<String> names;
    private final boolean detailed;
    private final Map<String, Tally> rules = new LinkedHashMap<>();
    private long valid;
    private long invalid;
    private long transformed;

    /** @param detailed whether values are counted too */
    PageFindings(List<String> names, boolean detailed) {
        this.names = names;
        this.detailed = detailed;
    }

    void add(String identifier, Judgement judgement) {
        valid += judgement.valid() ? 1 : 0;
        invalid += judgement.valid() ? 0 : 1;
        transformed += judgement.changed() ? 1 : 0;
        for (int i = 0; i < judgement.findings().size(); i++) {
            int place = i;
            rules.computeIfAbsent(names.get(i), name -> new Tally(place))
                    .add(identifier, judgement.findings().get(i), detailed);
        }
    }

    /** A record that no rule could look at. */
    void addUnreadable() {
        invalid++;
    }

    Map<String, Tally> rules() {
        return rules;
    }

    long valid() {
        return valid;
    }

    long invalid() {
        return invalid;
    }

    long transformed() {
        return transformed;
    }
}
