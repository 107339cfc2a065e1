package dev.turno.benchmarks.run;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.function.Consumer;

/** Round after round: as many as are wanted, fewer if time runs out, but never fewer than two. Not shared by threads. */
public final class Rounds {

    private static final int FEWEST = 2;

    private final int wanted;
    private final long deadline;
    private final Consumer<String> progress;
    private int number;
    private long begun = System.nanoTime();
    private long longest;

    Rounds(int wanted, Duration time, Consumer<String> progress) {
        this.wanted = wanted;
        this.deadline = begun + time.toNanos();
        this.progress = progress;
    }

    /** Whether there is to be another one; that is the next then. */
    public boolean next() {
        long now = System.nanoTime();
        if (number > 0) {
            longest = Math.max(longest, now - begun);
        }
        begun = now;
        if (number >= wanted || (number >= FEWEST && now + longest > deadline)) {
            if (number < wanted) {
                progress.accept("no time for more than " + number + " of " + wanted + " rounds");
            }
            return false;
        }
        number++;
        return true;
    }

    /** From one. */
    public int number() {
        return number;
    }

    /** Every round begins with another one: whoever comes after a heavy one meets a busier disk. */
    public <T> List<T> inTurns(List<T> contestants) {
        List<T> order = new ArrayList<>(contestants);
        Collections.rotate(order, 1 - number);
        return order;
    }
}
