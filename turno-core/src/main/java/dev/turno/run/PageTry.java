package dev.turno.run;

import dev.turno.sql.StorableText;
import java.time.Duration;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;

/** What is known about the items of one page over the tries to store it. Belongs to the run's thread. */
final class PageTry {

    /** The page is rolled back and tried again after a while. */
    static final class AgainException extends RuntimeException {
        AgainException() {
            super("again", null, false, false);
        }
    }

    private static final int LONGEST_KEY = 4_000;

    private final int size;
    private final ItemPolicy policy;
    private final long passedOverBefore;
    private final BitSet closed = new BitSet(); // done for good, or passed over
    private final Map<Integer, Integer> failures = new HashMap<>();
    private final List<PageTable.Failed> passedOver = new ArrayList<>();
    private int lastFailures;
    private int repetitions;

    PageTry(int size, ItemPolicy policy, long passedOverBefore) {
        this.size = size;
        this.policy = policy;
        this.passedOverBefore = passedOverBefore;
    }

    boolean isOpen(int item) {
        return !closed.get(item);
    }

    /** Its effects are outside of the database and stay, whatever becomes of the page. */
    void done(int item) {
        closed.set(item);
    }

    void doneBefore(int item) {
        closed.set(0, Math.max(0, item));
    }

    /** Counts a try that failed through nobody's fault. */
    boolean mayRepeat() {
        lastFailures = ++repetitions;
        return repetitions < PageLoop.REPETITIONS;
    }

    /** Counts a failure; passes the item over, has the page tried again, or fails the run. */
    void failed(int item, String key, Exception e, Supplier<ItemFailedException> fail) {
        lastFailures = failures.merge(item, 1, Integer::sum);
        if (lastFailures <= policy.retries()) {
            throw new AgainException();
        }
        if (policy.then() == ItemPolicy.Then.FAIL) {
            throw fail.get();
        }
        if (passedOverBefore + passedOver.size() >= policy.limit()) {
            throw failed("The limit of " + policy.limit() + " items that are skipped or parked is reached.", fail, e);
        }
        if (policy.then() == ItemPolicy.Then.PARK) {
            requireStorable(key, fail, e);
        }
        closed.set(item);
        passedOver.add(new PageTable.Failed(key, Failures.text(e)));
    }

    /** In full: who is given another key at the revival finds nothing, or another item. */
    private static void requireStorable(String key, Supplier<ItemFailedException> fail, Exception e) {
        String why = "An item cannot be parked, because it could not be found again. ";
        if (key.length() > LONGEST_KEY) {
            throw failed(
                    why + "Its key has " + key.length() + " characters, of at most " + LONGEST_KEY
                            + ". Give the job a shorter one.",
                    fail,
                    e);
        }
        try {
            StorableText.requireStorable("key", "", key);
        } catch (IllegalArgumentException unstorable) {
            throw failed(why + unstorable.getMessage(), fail, e);
        }
    }

    private static ItemFailedException failed(String why, Supplier<ItemFailedException> fail, Exception e) {
        return new ItemFailedException(why + " " + fail.get().getMessage(), e);
    }

    Duration nextWait() {
        return policy.backoff().after(lastFailures);
    }

    int skipped() {
        return policy.then() == ItemPolicy.Then.SKIP ? passedOver.size() : 0;
    }

    List<PageTable.Failed> parked() {
        return policy.then() == ItemPolicy.Then.PARK ? passedOver : List.of();
    }

    PageTable.Outcome outcome(String cursor) {
        return new PageTable.Outcome(cursor, size - passedOver.size(), skipped(), List.copyOf(parked()));
    }
}
