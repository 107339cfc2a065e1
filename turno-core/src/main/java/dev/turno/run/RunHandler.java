package dev.turno.run;

import dev.turno.claim.Claim;
import dev.turno.claim.Result;
import dev.turno.watch.Watcher;
import dev.turno.watch.WorkEvent;
import dev.turno.worker.LongTurn;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;

/** Works one run and says how it ended. Shared by threads. */
final class RunHandler {

    private final Map<String, Job<?>> jobs;
    private final RunTable rows;
    private final PageTable pages;
    private final Watcher watcher;
    private final String node;
    private final StopLooks stops;
    private volatile boolean handsOver;

    RunHandler(Map<String, Job<?>> jobs, RunTable rows, PageTable pages, Watcher watcher, String node) {
        this.jobs = jobs;
        this.rows = rows;
        this.pages = pages;
        this.watcher = watcher;
        this.node = node;
        this.stops = new StopLooks(pages::stopsWished, watcher);
    }

    /** A stop asked for in this process need not be looked up by its run. */
    void wishStop(long run) {
        stops.wish(run);
    }

    /** From now on runs end at their next item, to go on in another process; or they go on here again. */
    void handOver(boolean wished) {
        handsOver = wished;
    }

    Result handle(Run run, LongTurn turn) throws Exception {
        Job<?> job = Optional.<Job<?>>ofNullable(jobs.get(run.job()))
                .orElseThrow(() -> new IllegalStateException("Job '" + run.job() + "' is not known here."));
        RunTurn mine = new RunTurn(run, turn, () -> handsOver);
        watcher.on(new WorkEvent.RunStarted(run.id(), run.job(), run.subject().orElse(""), turn.fence()));
        mine.log(run.cursor().map(cursor -> "Goes on after cursor " + cursor).orElse("Begins") + " on " + node
                + ", fence " + turn.fence() + ".");
        try {
            stops.begins(mine);
            return work(job, run, mine, turn);
        } finally {
            stops.ends(mine);
            storeLog(mine);
        }
    }

    /** What became of the run stands, whether or not its last lines can be stored. */
    private void storeLog(RunTurn mine) {
        try {
            pages.log(mine);
        } catch (RuntimeException e) {
            watcher.on(new WorkEvent.Trouble("log of run " + mine.id(), e, Duration.ZERO));
        }
    }

    private <I> Result work(Job<I> job, Run run, RunTurn mine, LongTurn turn) throws Exception {
        Claim claim = new Claim(run.id(), turn.fence());
        try {
            workPages(new PageLoop<>(job, run, mine, turn, pages));
            mine.log("All pages are done.");
            return Result.done();
        } catch (Interruption e) {
            return interrupted(e, claim, mine);
        } catch (RetryLaterException e) {
            mine.log("Parked for " + e.in() + ": " + e.getMessage());
            return told(rows.park(claim, e.in(), String.valueOf(e.getMessage())), mine);
        } catch (ItemFailedException e) {
            mine.log("Failed: " + e.getMessage());
            return Result.reject(String.valueOf(e.getMessage()));
        } catch (Exception e) {
            mine.log("Broken off, to be tried again: " + e);
            throw e;
        }
    }

    /** What is stored afterwards is not to be refused, as by a pool, because of an interrupt that was meant for the user's code. */
    private static void workPages(PageLoop<?> loop) throws Exception {
        try {
            loop.run();
        } finally {
            Thread.interrupted();
        }
    }

    private Result interrupted(Interruption e, Claim claim, RunTurn mine) {
        if (e.why() == Interruption.Why.HAND_OVER) {
            mine.log("This process ends; another one goes on.");
            return told(rows.handOver(claim), mine);
        }
        mine.log("Stopped as wished; the page in hand was not stored.");
        return told(rows.stop(claim), mine);
    }

    /** If the claim was lost the verdict will be refused, and said to be lost, by the usual way. */
    private static Result told(boolean kept, RunTurn mine) {
        if (!kept) {
            mine.log("The claim was lost before that could be stored.");
        }
        return kept ? Result.done() : Result.retry("The claim was lost.");
    }
}
