package dev.turno.server.demo;

import java.sql.Connection;
import java.sql.SQLException;
import javax.sql.DataSource;
import org.springframework.jdbc.datasource.DelegatingDataSource;

/** A way to the database that can be pulled: nothing of the node behind it gets there any more. Shared by threads. */
final class Plug extends DelegatingDataSource {

    private volatile boolean in = true;

    Plug(DataSource source) {
        super(source);
    }

    void pull() {
        in = false;
    }

    boolean isIn() {
        return in;
    }

    @Override
    public Connection getConnection() throws SQLException {
        if (!in) {
            throw new SQLException("This node of the demo was killed.", "08001");
        }
        return super.getConnection();
    }
}
