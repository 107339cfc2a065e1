package dev.turno.run;

import dev.turno.claim.ClaimLostException;
import dev.turno.claim.DatabaseAwayException;
import dev.turno.sql.Dialect;
import dev.turno.sql.Session;
import dev.turno.worker.LongTurn;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Savepoint;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.locks.LockSupport;

/**
 * The one loop of all jobs: fetches a page outside of any transaction, hands its items to the step, stores what they wrote and
 * the run's place together. A page is first tried as a whole, at full speed; only if that fails, and the policy forgives, item
 * by item. Belongs to the run's thread.
 */
final class PageLoop<I> {

    static final int REPETITIONS = 5;
    private static final Duration LOOK_UP = Duration.ofMillis(50);

    private final Job<I> job;
    private final Run run;
    private final RunTurn turn;
    private final LongTurn claim;
    private final PageTable table;
    private long skipped;
    private long parked;
    private long renewedAt;

    PageLoop(Job<I> job, Run run, RunTurn turn, LongTurn claim, PageTable table) {
        this.job = job;
        this.run = run;
        this.turn = turn;
        this.claim = claim;
        this.table = table;
        this.skipped = run.skipped();
        this.parked = run.letters();
        this.renewedAt = nanos();
    }

    /** Works all pages that are left. Throws what ends it before. */
    void run() throws Exception {
        try {
            workAll();
        } catch (Exception e) {
            throwIfOver(e);
            throw e;
        }
    }

    private void workAll() throws Exception {
        job.beforeRun().on(turn);
        try (Pages<I> pages = source().open(turn)) {
            pages.total().ifPresent(turn::total);
            turn.check();
            for (Optional<Page<I>> page = pages.next(job.pageSize());
                    page.isPresent();
                    page = pages.next(job.pageSize())) {
                work(page.get());
                renewInTime();
                turn.check();
            }
        }
        job.afterRun().on(turn);
    }

    private Source<I> source() {
        return run.revives().isPresent() ? new ParkedItems<>(job, run.revives().get(), table) : job.source();
    }

    private void work(Page<I> page) throws Exception {
        PageTry tried = new PageTry(page.items().size(), job.policy(), skipped + parked);
        if (!wholeSucceeds(page, tried)) {
            renewInTime();
            while (!carefullySucceeds(page, tried)) {
                pause(tried.nextWait());
            }
        }
        skipped += tried.skipped();
        parked += tried.parked().size();
    }

    private boolean wholeSucceeds(Page<I> page, PageTry tried) throws Exception {
        for (int repetition = 1; ; repetition++) {
            PageTurn[] now = new PageTurn[1];
            try {
                store(page, tried, pageTurn -> {
                    now[0] = pageTurn;
                    job.step().on(page.items(), pageTurn);
                });
                return true;
            } catch (Exception e) {
                throwIfNoItemsFault(e);
                if (isWorthRepeating(e)) {
                    throwIf(repetition == REPETITIONS, e);
                    continue;
                }
                if (!job.policy().forgives()) {
                    throw failed(Optional.ofNullable(now[0]).flatMap(PageTurn::item), e);
                }
                if (!job.step().inTransaction() && now[0] != null) {
                    tried.doneBefore(now[0].begun() - 1); // their effects are outside and stay
                }
                return false;
            }
        }
    }

    /** Item by item; false if one has failed that is to be tried again. */
    private boolean carefullySucceeds(Page<I> page, PageTry tried) throws Exception {
        try {
            store(page, tried, pageTurn -> {
                for (int i = 0; i < page.items().size(); i++) {
                    if (tried.isOpen(i)) {
                        one(page.items().get(i), i, pageTurn, tried);
                    }
                }
            });
            return true;
        } catch (PageTry.AgainException e) {
            return false;
        }
    }

    private void one(I item, int index, PageTurn pageTurn, PageTry tried) throws Exception {
        Optional<Savepoint> before = savepoint(pageTurn);
        try {
            pageTurn.begin(item);
            job.step().on(List.of(item), pageTurn);
            release(pageTurn, before);
            if (before.isEmpty()) {
                tried.done(index);
            }
        } catch (Exception e) {
            throwIfNoItemsFault(e);
            if (isWorthRepeating(e)) {
                throwIf(!tried.mayRepeat(), e);
                throw new PageTry.AgainException();
            }
            if (before.isPresent()) {
                pageTurn.connection().rollback(before.get());
            }
            tried.failed(index, keyOf(item), e, () -> failed(Optional.of(item), e));
        }
    }

    private Optional<Savepoint> savepoint(PageTurn pageTurn) throws SQLException {
        return job.step().inTransaction() ? Optional.of(pageTurn.connection().setSavepoint()) : Optional.empty();
    }

    private static void release(PageTurn pageTurn, Optional<Savepoint> savepoint) throws SQLException {
        if (savepoint.isPresent()) {
            pageTurn.connection().releaseSavepoint(savepoint.get());
        }
    }

    @FunctionalInterface
    private interface Work {
        void on(PageTurn pageTurn) throws Exception;
    }

    private void store(Page<I> page, PageTry tried, Work work) throws Exception {
        long before = nanos();
        List<String> lines;
        if (job.step().inTransaction()) {
            lines = table.database().userTransaction(table.maxPage(), session -> {
                try {
                    hooked(new PageTurn(turn, Optional.of(session.connection())), work);
                    return writeBlameless(session, page, tried);
                } catch (Exception e) {
                    throwIfBroken(session.connection(), e);
                    throw e;
                }
            });
        } else {
            hooked(new PageTurn(turn, Optional.empty()), work);
            before = nanos();
            lines = table.database()
                    .transaction(
                            "The place of run " + run.id() + " may not have been stored; the page may be done again.",
                            session -> write(session, page, tried));
        }
        renewed(before);
        claim.progressed();
        turn.forget(lines);
        turn.moveTo(page.cursor());
    }

    private long nanos() {
        return table.database().time().nanos();
    }

    private void renewed(long before) {
        renewedAt = before;
        claim.renewedFrom(before);
    }

    /** What follows has its full time, however long it took to come here. */
    private void renewInTime() {
        long now = nanos();
        if (now - renewedAt > table.maxPage().toNanos() / 3) {
            table.renew(run, claim.fence());
            renewed(now);
        }
    }

    private void hooked(PageTurn pageTurn, Work work) throws Exception {
        job.beforePage().on(pageTurn);
        work.on(pageTurn);
        job.afterPage().on(pageTurn);
    }

    /** For what Turno writes itself, beside the items, none of them can be blamed. */
    private List<String> writeBlameless(Session session, Page<I> page, PageTry tried) throws SQLException {
        try {
            return write(session, page, tried);
        } catch (SQLException e) {
            if (isWorthRepeating(e)) {
                throw e;
            }
            throw new DatabaseAwayException(
                    "The place of run " + run.id()
                            + " could not be stored, and neither was anything of its page; the run goes"
                            + " on with it later. The database said: " + e.getMessage(),
                    e);
        }
    }

    private List<String> write(Session session, Page<I> page, PageTry tried) throws SQLException {
        List<String> lines = turn.lines();
        table.store(session, run, claim.fence(), turn, lines, tried.outcome(page.cursor()));
        return lines;
    }

    /** No transaction is open while it waits, a stop is obeyed, and the claim is kept. */
    private void pause(Duration wait) {
        long end = System.nanoTime() + wait.toNanos();
        while (end - System.nanoTime() > 0) {
            turn.check();
            renewInTime();
            LockSupport.parkNanos(Math.min(LOOK_UP.toNanos(), end - System.nanoTime()));
        }
        renewInTime();
    }

    private ItemFailedException failed(Optional<?> item, Exception e) {
        String what = item.map(one -> "Item '" + keyOf(one) + "'").orElse("A page of items");
        return new ItemFailedException(
                what + " of run " + run.id() + " of job '" + job.name() + "' failed after cursor "
                        + turn.cursor().map(cursor -> "'" + cursor + "'").orElse("(the beginning)") + ": "
                        + Failures.text(e)
                        + "\nNothing of its page was stored. Mend the cause and resume the run, or give the"
                        + " job a policy that skips or parks such items.",
                e);
    }

    @SuppressWarnings("unchecked") // an item comes from this job's page
    private String keyOf(Object item) {
        return job.keyOf().apply((I) item);
    }

    /** The database asks for a repetition of the page's transaction: no item can be blamed. For a duplicate one can. */
    private boolean isWorthRepeating(Exception e) {
        Dialect dialect = table.database().dialect();
        return job.step().inTransaction()
                && Failures.sqlIn(e)
                        .filter(sql -> dialect.isWorthRepeating(sql) && !dialect.isDuplicate(sql))
                        .isPresent();
    }

    private static void throwIf(boolean enough, Exception e) throws Exception {
        if (enough) {
            throw e; // the run is tried again later
        }
    }

    /** Drivers have many words for a broken connection, and some look like a statement's own fault: so it is asked itself. */
    private void throwIfBroken(Connection connection, Exception e) {
        Optional<SQLException> said = Failures.sqlIn(e);
        if (said.isPresent() && Failures.isBroken(connection)) {
            throw new DatabaseAwayException(
                    "The connection of run " + run.id()
                            + " broke in the middle of a page, of which nothing was stored; the"
                            + " run goes on with it later. The database said: "
                            + said.get().getMessage(),
                    said.get());
        }
    }

    private void throwIfNoItemsFault(Exception e) throws Exception {
        throwIfOver(e);
        if (isSaid(e) || e instanceof DatabaseAwayException || Failures.isOfTheServer(e) || Failures.isInterrupt(e)) {
            throw e;
        }
    }

    private void throwIfOver(Exception e) {
        if (!isSaid(e)) {
            turn.throwIfOver(e);
        }
    }

    /** It says itself what becomes of the page. */
    private static boolean isSaid(Exception e) {
        return e instanceof Interruption
                || e instanceof RetryLaterException
                || e instanceof ClaimLostException
                || e instanceof ItemFailedException
                || e instanceof PageTry.AgainException;
    }
}
