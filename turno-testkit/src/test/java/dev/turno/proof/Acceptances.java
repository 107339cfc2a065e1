package dev.turno.proof;

import dev.turno.testkit.database.FreshDatabase;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Map;
import javax.sql.DataSource;
import org.h2.api.Trigger;
import org.jspecify.annotations.Nullable;

/**
 * Every write of DONE to a message, whoever made it, noted by the database itself through a trigger. So an acceptance that
 * happened twice is seen even if the product's own books are in order.
 */
final class Acceptances {

    private static final String TABLE = "create table proof_accepted (message_id varchar(200), fence bigint)";

    private static final String POSTGRESQL = """
            create function proof_accept() returns trigger language plpgsql as $$ begin
                insert into proof_accepted values (new.message_id, new.fence);
                return null;
            end $$;
            create trigger proof_accept after update on turno_inbox
                for each row when (new.state = 'DONE') execute function proof_accept()""";

    private static final String MARIADB = """
            create trigger proof_accept after update on turno_inbox for each row
                if new.state = 'DONE' then
                    insert into proof_accepted values (new.message_id, new.fence);
                end if""";

    private static final String H2 = "create trigger proof_accept after update on turno_inbox for each row call \"%s\""
            .formatted(InH2.class.getName());

    private Acceptances() {}

    /** From now on; Turno's tables must be there. */
    static void note(FreshDatabase database) throws SQLException {
        String trigger = switch (database.kind()) {
            case H2 -> H2;
            case POSTGRESQL -> POSTGRESQL;
            case MARIADB -> MARIADB;
        };
        try (Connection connection = database.dataSource().getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute(TABLE);
            statement.execute(trigger);
        }
    }

    /** How often each message was accepted. */
    static Map<String, Integer> times(DataSource source) throws SQLException {
        return Rows.counted(source, "select message_id, count(*) from proof_accepted group by message_id");
    }

    /** Loaded by H2's server, which has this class path. */
    public static final class InH2 implements Trigger {

        private int state;
        private int messageId;
        private int fence;

        public InH2() {}

        @Override
        public void init(Connection connection, String schema, String trigger, String table, boolean before, int type)
                throws SQLException {
            state = position(connection, schema, table, "STATE");
            messageId = position(connection, schema, table, "MESSAGE_ID");
            fence = position(connection, schema, table, "FENCE");
        }

        private static int position(Connection connection, String schema, String table, String column)
                throws SQLException {
            try (ResultSet row = connection.getMetaData().getColumns(null, schema, table, column)) {
                row.next();
                return row.getInt("ORDINAL_POSITION") - 1;
            }
        }

        @Override
        public void fire(
                Connection connection, @Nullable Object @Nullable [] before, @Nullable Object @Nullable [] after)
                throws SQLException {
            if (after == null || !"DONE".equals(after[state])) {
                return;
            }
            try (PreparedStatement insert = connection.prepareStatement("insert into proof_accepted values (?, ?)")) {
                insert.setObject(1, after[messageId]);
                insert.setObject(2, after[fence]);
                insert.executeUpdate();
            }
        }
    }
}
