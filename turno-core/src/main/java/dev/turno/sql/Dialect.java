package dev.turno.sql;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What differs between databases beyond the statements in the files. Immutable. */
public sealed interface Dialect permits PostgreSql, MariaDb, H2 {

    /** The folder of its statements. */
    String folder();

    /** What {@code {now}} stands for: the database's clock, in a form that an index scan can use. */
    String clock();

    /** What {@code {now}} stands for in tests: the moment in the parameter {@code :now_us}. */
    String movedClock();

    /** True if one statement can take rows and return them; else they are found and marked in one transaction. */
    boolean takesInOneStatement();

    /** True if an update can return what it wrote; else it draws one number with {@code last_insert_id}. */
    default boolean updatesReturn() {
        return true;
    }

    /** An array parameter as this database wants it bound. */
    Object array(Connection connection, List<? extends @Nullable Object> values, Columns.Type type) throws SQLException;

    Instant instant(Object columnValue);

    /** The class in which timestamps are read. */
    Class<?> timestampClass();

    /** Prepares a transaction: READ COMMITTED, and ended by the server if this process freezes inside it. */
    void begin(Connection connection, Duration idleLimit) throws SQLException;

    /** Commits, and throws unless what was committed is as safe as the server was told to make it. */
    default void commit(Connection connection) throws SQLException {
        connection.commit();
    }

    /** The same for a statement that was executed, which commits by itself if no transaction is open. */
    default void requireSafe(Statement executed) throws SQLException {}

    /** Undoes what {@link #begin} changed for longer than the transaction. */
    void end(Connection connection) throws SQLException;

    /** After a statement failed that commits by itself: ends the transaction that it may have begun and not ended. */
    default void undo(Connection connection) throws SQLException {}

    /** After a statement failed in a transaction that goes on: undoes what it may have left half done since its own savepoint. */
    default void undoTo(String savepoint, Connection connection) throws SQLException {}

    /** Before the first use after a start: leaves out numbers that a killed database may have given away and forgotten. */
    default void skipForgottenNumbers(Connection connection) throws SQLException {}

    /** Makes room that the database does not make by itself, a little at a time; true if there may be more to do. */
    default boolean tidy(Connection connection) throws SQLException {
        return false;
    }

    /** False if an interrupt that reaches a thread in the database's code can close the database for everybody. */
    default boolean survivesInterrupts() {
        return true;
    }

    default boolean isDuplicate(SQLException e) {
        return "23505".equals(e.getSQLState());
    }

    /** True if the server rolled the statement or transaction back and asks for a repetition. */
    default boolean isWorthRepeating(SQLException e) {
        String state = e.getSQLState();
        return state != null && state.startsWith("40");
    }

    /** True if one message to the server can add to a buffer; else it is done step by step. */
    default boolean addsInOneStatement() {
        return true;
    }

    /** True if who looks for a row in order to lock it keeps others from adding its neighbours, unless he knows its number. */
    default boolean locksGaps() {
        return false;
    }

    /** True if a row was not locked within the time that the statement allows. */
    boolean isLocked(SQLException e);

    /** True if the account lacks the right. */
    boolean isForbidden(SQLException e);

    /** What to do about it, if that is known: a sentence after a space, or nothing. */
    default String advice(SQLException e) {
        return "";
    }

    static Dialect of(Connection connection) throws SQLException {
        String product = connection.getMetaData().getDatabaseProductName();
        return switch (product) {
            case "PostgreSQL" -> new PostgreSql();
            case "MariaDB" -> new MariaDb();
            case "H2" -> H2.at(connection.getMetaData().getURL());
            default ->
                throw new IllegalArgumentException(
                        "Turno runs on PostgreSQL, MariaDB and H2; this data source leads to " + product
                                + ", for which it has no statements.");
        };
    }
}
