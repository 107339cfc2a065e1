package dev.turno.run;

import dev.turno.claim.ClaimLostException;
import dev.turno.claim.Turn;
import dev.turno.sql.StorableText;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BooleanSupplier;

/** What a job's code knows about its run while it is under way. May be read from any thread. */
public final class RunTurn {

    public static final int LONGEST_LINE = 1_000;
    public static final int MOST_LINES = 10_000;

    private final Run run;
    private final Turn turn;
    private final BooleanSupplier handsOver;
    private final List<String> lines = new ArrayList<>(); // guarded by itself
    private int linesSoFar; // guarded by lines
    private volatile Optional<String> cursor;
    private volatile Optional<Long> total;
    private volatile boolean stopWished;

    RunTurn(Run run, Turn turn, BooleanSupplier handsOver) {
        this.run = run;
        this.turn = turn;
        this.handsOver = handsOver;
        this.cursor = run.cursor();
        this.total = run.total();
        this.linesSoFar = run.logLines();
    }

    public long id() {
        return run.id();
    }

    public String job() {
        return run.job();
    }

    public Optional<String> subject() {
        return run.subject();
    }

    public Optional<String> action() {
        return run.action();
    }

    /** True if the job was asked to look only at what is new. */
    public boolean isIncremental() {
        return run.incremental();
    }

    public Map<String, String> parameters() {
        return run.parameters();
    }

    /** Grows at every taking. An outside system that remembers the highest fence can refuse a late writer. */
    public long fence() {
        return turn.fence();
    }

    /** The same however often the run is taken: with an item's key, an idempotency key for outside systems. */
    public String key() {
        return turn.key();
    }

    /** 1 at the first taking after a stored page. */
    public int attempt() {
        return turn.attempt();
    }

    /** Where the last stored page ended; empty before the first. */
    public Optional<String> cursor() {
        return cursor;
    }

    /** How many items the run will handle in all, once that is known. */
    public Optional<Long> total() {
        return total;
    }

    public void total(long items) {
        total = Optional.of(items);
    }

    /**
     * True once somebody wishes the run to stop, in whatever process, within a second or so. Long items may ask and throw what they
     * like; between items it is obeyed anyway.
     */
    public boolean isStopWished() {
        return stopWished;
    }

    /** True once another process may have the run; nothing more will be stored. */
    public boolean isLost() {
        return turn.isLost();
    }

    /** Adds a line to the run's log; it is stored with the page, and when the run ends or fails. */
    public void log(String line) {
        synchronized (lines) {
            if (linesSoFar < MOST_LINES) {
                linesSoFar++;
                lines.add(
                        linesSoFar == MOST_LINES
                                ? "More than " + MOST_LINES + " lines; the rest is left out."
                                : fit(line));
            }
        }
    }

    private static String fit(String line) {
        return line.length() <= LONGEST_LINE
                ? StorableText.of(line, LONGEST_LINE)
                : StorableText.of(line, LONGEST_LINE - 1) + "…";
    }

    List<String> lines() {
        synchronized (lines) {
            return List.copyOf(lines);
        }
    }

    void forget(List<String> stored) {
        synchronized (lines) {
            lines.subList(0, stored.size()).clear();
        }
    }

    void moveTo(String stored) {
        cursor = Optional.of(stored);
    }

    void wishStop() {
        stopWished = true;
    }

    /**
     * Whatever fails once the claim is lost, the run shall stop or this process ends may do so because of that: the thread is
     * interrupted then, and who is interrupted has many words for it.
     */
    void throwIfOver(Exception failure) {
        if (turn.isLost()
                || turn.remaining().isZero()) { // a statement may end of itself before the thread is interrupted
            ClaimLostException lost = lost();
            lost.initCause(failure);
            throw lost;
        }
        wished().ifPresent(wish -> {
            log("Broken off: " + failure);
            throw wish;
        });
    }

    private Optional<Interruption> wished() {
        if (stopWished) {
            return Optional.of(new Interruption(Interruption.Why.STOP));
        }
        return handsOver.getAsBoolean() ? Optional.of(new Interruption(Interruption.Why.HAND_OVER)) : Optional.empty();
    }

    private ClaimLostException lost() {
        return new ClaimLostException("Run " + id() + " of job '" + job() + "' lost its claim with fence " + fence()
                + ": this page took longer than the maximum, or this process was declared dead. Nothing of the page is"
                + " stored; whoever takes the run goes on after its last stored page. If pages often take longer, raise"
                + " max-page or make them smaller: after max-attempts takings without a stored page the run is DEAD.");
    }

    /** Ends the page here if the claim is lost, the run shall stop, or this process ends. */
    void check() {
        if (turn.isLost()) {
            throw lost();
        }
        wished().ifPresent(wish -> {
            throw wish;
        });
    }
}
