package dev.turno.sql;

import java.sql.SQLWarning;
import java.util.Optional;
import org.postgresql.util.PSQLWarning;
import org.postgresql.util.ServerErrorMessage;

/** What PostgreSQL's own driver knows of a warning; the driver may be another one, without these classes. */
final class ServerWarning {

    private ServerWarning() {}

    /** The routine of the server that warned, or nothing. */
    static String routineOf(SQLWarning warning) {
        try {
            return warning instanceof PSQLWarning from
                    ? Optional.ofNullable(from.getServerErrorMessage())
                            .map(ServerErrorMessage::getRoutine)
                            .orElse("")
                    : "";
        } catch (NoClassDefFoundError e) {
            return "";
        }
    }
}
