package dev.turno.chaos;

import dev.turno.Turno;
import dev.turno.testkit.chaos.Chaos;
import dev.turno.testkit.chaos.ChaosNode;
import java.sql.SQLException;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Stream;

/** What a feature is given to do, how the processes do it, and what has to be true of it in the end. */
interface Workload {

    /** All of them, by name. */
    enum Kind {
        INBOX(2),
        BATCHED(4),
        LANES(2),
        ECHO(1),
        BUFFERS(3),
        TASKS(1),
        RUNS(12),
        LOCKS(1);

        private final int share;

        Kind(int share) {
            this.share = share;
        }

        /** How much of the rate it gets, beside the others. */
        int share() {
            return share;
        }

        String word() {
            return name().toLowerCase(Locale.ROOT);
        }

        Workload make() {
            return switch (this) {
                case INBOX, BATCHED, LANES, ECHO -> new InboxWorkload(this);
                case BUFFERS -> new BufferWorkload();
                case TASKS -> new TaskWorkload();
                case RUNS -> new RunWorkload();
                case LOCKS -> new LockWorkload();
            };
        }
    }

    /** In each process: begins to do it. */
    void work(ChaosNode node);

    /** Outside: before the processes start. */
    void prepare(Chaos chaos, Turno turno) throws SQLException;

    /** Puts the part with this number: in a process after {@link #work}, outside after {@link #prepare}, by the Turno of that. */
    void put(int number) throws Exception;

    /** Whether a part of which it is not known if it was put is put again; if not, the next one is. */
    default boolean isPutAgain() {
        return true;
    }

    /** Outside: the part with this number was put, by whomever; answers how many items those are. */
    int stored(int number);

    /** A query for the number of items that are not over yet. */
    Optional<String> waiting();

    /** Outside: when everything is quiet again, and before it is checked. */
    default void calm(Chaos chaos, Findings findings) throws Exception {}

    /** Outside: what is wrong, and how many items there were. */
    void check(Chaos chaos, Books books, Findings findings) throws SQLException;

    static List<Kind> named(String words) {
        return Stream.of(words.split(",", -1))
                .map(word -> Kind.valueOf(word.toUpperCase(Locale.ROOT)))
                .toList();
    }
}
