package dev.turno.run;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import javax.sql.DataSource;

/**
 * Where a job's items come from. Opened at each taking of a run, after the cursor of its last stored page: see
 * {@link RunTurn#cursor()}. Pages are fetched outside of the page's transaction.
 */
@FunctionalInterface
public interface Source<I> {

    Pages<I> open(RunTurn run) throws Exception;

    /** Makes an item of a row. */
    @FunctionalInterface
    interface RowMapper<I> {
        I map(ResultSet row) throws SQLException;
    }

    /** One page after a cursor; empty at the end. */
    @FunctionalInterface
    interface PageFetch<I> {
        Optional<Page<I>> after(Optional<String> cursor, int size) throws Exception;
    }

    /** Pages by number, from 0; an empty list is the end. */
    @FunctionalInterface
    interface Paginator<I> {
        List<I> page(int number, int size) throws Exception;
    }

    /** Any source whose cursor is a text, such as a resumption token. */
    static <I> Source<I> paged(PageFetch<I> fetch) {
        return run -> new FetchedPages<>(fetch, run.cursor());
    }

    /**
     * A query that finds what comes after a key, in the order of the key: {@code select id, title from book where id > ? order
     * by id limit ?}. Its two parameters are the key and the size of the page.
     *
     * @param key the column by which it is ordered, a unique whole number
     */
    static <I> Source<I> query(DataSource source, String sql, String key, RowMapper<I> mapper) {
        return paged(new KeysetQuery<>(source, sql, key, mapper, Optional.of(Long.MIN_VALUE)));
    }

    /** As {@link #query}, for a unique key that is text; it begins after the empty text. */
    static <I> Source<I> queryByText(DataSource source, String sql, String key, RowMapper<I> mapper) {
        return paged(new KeysetQuery<>(source, sql, key, mapper, Optional.empty()));
    }

    /**
     * Whatever can be iterated in the same order every time. A resumed run passes over as many items as were handled before;
     * where that is too slow, look at {@link #iterator(Function, Function)}.
     */
    static <I> Source<I> iterator(Function<RunTurn, ? extends Iterator<I>> iterator) {
        return run -> IteratorPages.counting(iterator.apply(run), run.cursor());
    }

    /**
     * An iterator that can begin anywhere.
     *
     * @param from opens it after {@link RunTurn#cursor()}
     * @param cursor the place of an item
     */
    static <I> Source<I> iterator(Function<RunTurn, ? extends Iterator<I>> from, Function<I, String> cursor) {
        return run -> IteratorPages.placed(from.apply(run), cursor);
    }

    /** Pages by number. A run keeps the size with which it began: with another one the same number is another page. */
    static <I> Source<I> paginator(Paginator<I> paginator) {
        return paged(new NumberedPages<>(paginator));
    }

    /**
     * This source, read one page ahead on a thread of its own while the step works. Only for sources whose next page does not
     * depend on what the step does with this one.
     */
    default Source<I> ahead() {
        return run -> new ReadAhead<>(open(run), run.id());
    }

    /** This source, which knows how many items there are in all. */
    default Source<I> withTotal(Function<RunTurn, Long> total) {
        return run -> {
            Pages<I> pages = open(run);
            return new Pages<I>() {
                @Override
                public Optional<Page<I>> next(int size) throws Exception {
                    return pages.next(size);
                }

                @Override
                public Optional<Long> total() {
                    return Optional.of(total.apply(run));
                }

                @Override
                public void close() throws Exception {
                    pages.close();
                }
            };
        };
    }
}
