package dev.turno.chaos;

import dev.turno.testkit.chaos.Chaos;
import java.util.List;
import java.util.Set;

/** What a handler was told to be committed, printed at once: it has to be there in the end, whatever became of its process and the database. */
final class Commits {

    private static final String COMMITTED = "committed ";

    /** A line without it was cut off by the death of its process. */
    private static final String END = ";";

    private Commits() {}

    static void say(String workload, String what) {
        System.out.println(COMMITTED + workload + " " + what + END);
    }

    /** Ask before the books are read: those who count under locks go on meanwhile. */
    static List<String> told(Chaos chaos, String workload) {
        String beginning = COMMITTED + workload + " ";
        return chaos.said(beginning).stream()
                .filter(line -> line.endsWith(END))
                .map(line -> line.substring(beginning.length(), line.length() - END.length()))
                .toList();
    }

    /** How many of those that were told so are not among what is there. */
    static long gone(List<String> told, Set<String> there) {
        return told.stream().filter(what -> !there.contains(what)).count();
    }
}
