package dev.turno.sql;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

final class H2 implements Dialect {

    private static final int LOCK_TIMEOUT = 50200;
    private static final int DEADLOCK = 40001;
    private static final int DUPLICATE = 23505; // two that did not see each other's row: the next look does
    private static final int CONCURRENT_UPDATE = 90131;
    private static final int NOT_ENOUGH_RIGHTS = 90096;
    private static final int ADMIN_RIGHTS_REQUIRED = 90040;

    /** It gives away 32 before it stores again; a thousand are more than all that can be under way. */
    private static final String IDENTITIES = """
            select table_name, identity_base + 1000 from information_schema.columns
             where table_schema = current_schema and lower(table_name) like 'turno\\_%' escape '\\' and is_identity = 'YES'
               and lower(column_name) = 'id' and identity_base > 1
             order by table_name""";

    private static final List<String> NOT_IN_A_FILE_HERE = List.of("jdbc:h2:tcp:", "jdbc:h2:ssl:", "jdbc:h2:mem:");

    private final boolean inFileHere;

    private H2(boolean inFileHere) {
        this.inFileHere = inFileHere;
    }

    static H2 at(String url) {
        return new H2(NOT_IN_A_FILE_HERE.stream().noneMatch(url::startsWith));
    }

    /** It writes its file in the threads of its users, and whoever is interrupted there closes it. */
    @Override
    public boolean survivesInterrupts() {
        return !inFileHere;
    }

    @Override
    public String folder() {
        return "h2";
    }

    @Override
    public String clock() {
        // Frozen inside a transaction, which is why ours are short.
        return "current_timestamp(6)";
    }

    @Override
    public String movedClock() {
        return "dateadd(microsecond, cast(:now_us as bigint), timestamp with time zone '1970-01-01 00:00:00+00')";
    }

    @Override
    public boolean takesInOneStatement() {
        return false;
    }

    @Override
    public Object array(Connection connection, List<? extends @Nullable Object> values, Columns.Type type)
            throws SQLException {
        return connection.createArrayOf(type == Columns.Type.TEXT ? "VARCHAR" : "BIGINT", values.toArray());
    }

    @Override
    public Instant instant(Object columnValue) {
        return ((OffsetDateTime) columnValue).toInstant();
    }

    @Override
    public Class<?> timestampClass() {
        return OffsetDateTime.class;
    }

    @Override
    public void begin(Connection connection, Duration idleLimit) {
        // READ COMMITTED is the default; H2 has no limit for idle transactions, but its locks end with the connection.
    }

    @Override
    public void end(Connection connection) {}

    /**
     * H2 stores from time to time how far the numbers of an identity column will go, and lets other threads use them meanwhile: when it is
     * killed in that moment, numbers of stored rows are given away again, and so would be the keys that are made of them.
     */
    @Override
    public void skipForgottenNumbers(Connection connection) throws SQLException {
        if (connection.getMetaData().getURL().startsWith("jdbc:h2:mem:")) {
            return;
        }
        List<String> restarts = new ArrayList<>();
        try (Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(IDENTITIES)) {
            while (row.next()) {
                restarts.add("alter table " + row.getString(1) + " alter column id restart with " + row.getLong(2));
            }
        }
        try (Statement statement = connection.createStatement()) {
            for (String restart : restarts) {
                statement.execute(restart);
            }
        }
    }

    @Override
    public boolean tidy(Connection connection) throws SQLException {
        try {
            return inFileHere && H2File.tidy(connection);
        } catch (LinkageError anotherH2) {
            return false; // its inside is not as the one that this was made for, and its file stays as it keeps it
        }
    }

    @Override
    public boolean isWorthRepeating(SQLException e) {
        int code = e.getErrorCode();
        return code == LOCK_TIMEOUT || code == DEADLOCK || code == CONCURRENT_UPDATE || code == DUPLICATE;
    }

    @Override
    public boolean addsInOneStatement() {
        return false;
    }

    @Override
    public boolean isLocked(SQLException e) {
        return e.getErrorCode() == LOCK_TIMEOUT;
    }

    @Override
    public boolean isForbidden(SQLException e) {
        return e.getErrorCode() == NOT_ENOUGH_RIGHTS || e.getErrorCode() == ADMIN_RIGHTS_REQUIRED;
    }
}
