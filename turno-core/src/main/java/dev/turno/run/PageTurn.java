package dev.turno.run;

import java.sql.Connection;
import java.util.Optional;

/** What a step knows about its page. Belongs to the run's thread. */
public final class PageTurn {

    private final RunTurn run;
    private final Optional<Connection> connection;
    private Optional<Object> item = Optional.empty();
    private int begun;

    PageTurn(RunTurn run, Optional<Connection> connection) {
        this.run = run;
        this.connection = connection;
    }

    public RunTurn run() {
        return run;
    }

    /** The page's transaction. Do not commit, roll back or close it. */
    public Connection connection() {
        return connection.orElseThrow(() -> new IllegalStateException("The step of job '" + run.job()
                + "' works outside of the database and has no transaction; leave out Step.outside to have one."));
    }

    /** This item comes now: what fails is blamed on it, and a stop is obeyed here. {@link Step#each} calls this. */
    public void begin(Object now) {
        begun++;
        item = Optional.of(now);
        run.check();
    }

    /** What comes now concerns the page as a whole. */
    public void beginWhole() {
        item = Optional.empty();
        run.check();
    }

    int begun() {
        return begun;
    }

    Optional<Object> item() {
        return item;
    }
}
