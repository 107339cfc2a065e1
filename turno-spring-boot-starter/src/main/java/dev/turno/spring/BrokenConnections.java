package dev.turno.spring;

import com.zaxxer.hikari.SQLExceptionOverride;
import java.sql.SQLException;
import java.sql.SQLNonTransientConnectionException;

/**
 * Tells a pool which connections are past use. H2 reports a broken one under a code that Hikari does not know, so Hikari would
 * hand it out again, unchecked for half a second.
 */
final class BrokenConnections implements SQLExceptionOverride {

    @java.lang.Override
    public SQLExceptionOverride.Override adjudicate(SQLException failure) {
        return failure instanceof SQLNonTransientConnectionException
                ? SQLExceptionOverride.Override.MUST_EVICT
                : SQLExceptionOverride.Override.CONTINUE_EVICT;
    }
}
