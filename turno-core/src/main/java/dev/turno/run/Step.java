package dev.turno.run;

import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.List;

/**
 * The user's code for the items of a page. What it writes through {@link PageTurn#connection()} is stored together with the
 * run's place, or not at all. Called by several threads at once if several runs of a job are under way.
 */
@FunctionalInterface
public interface Step<I> {

    void on(List<I> items, PageTurn page) throws Exception;

    /** False for steps that work outside of the database: their page has no transaction, and its end is stored after it. */
    default boolean inTransaction() {
        return true;
    }

    /** The user's code for one item. */
    @FunctionalInterface
    interface ItemStep<I> {
        void on(I item, PageTurn page) throws Exception;
    }

    /** Sets the parameters of a statement for an item. */
    @FunctionalInterface
    interface Binder<I> {
        void bind(PreparedStatement statement, I item) throws SQLException;
    }

    /** One item after the other. */
    static <I> Step<I> each(ItemStep<I> step) {
        return (items, page) -> {
            for (I item : items) {
                page.begin(item);
                step.on(item, page);
            }
        };
    }

    /** The whole page at once, for statements over many rows. */
    static <I> Step<I> whole(Step<I> step) {
        return step;
    }

    /** One statement for each item, sent to the database as one batch. */
    static <I> Step<I> batch(String sql, Binder<I> binder) {
        return (items, page) -> {
            try (PreparedStatement statement = page.connection().prepareStatement(sql)) {
                for (I item : items) {
                    page.begin(item);
                    binder.bind(statement, item);
                    statement.addBatch();
                }
                page.beginWhole();
                statement.executeBatch();
            }
        };
    }

    /**
     * A step that works outside of the database, on files or over HTTP. Its page is stored as done when all its items are; after
     * a crash the page is done again.
     */
    static <I> Step<I> outside(Step<I> step) {
        return new Step<>() {
            @Override
            public void on(List<I> items, PageTurn page) throws Exception {
                step.on(items, page);
            }

            @Override
            public boolean inTransaction() {
                return false;
            }
        };
    }
}
