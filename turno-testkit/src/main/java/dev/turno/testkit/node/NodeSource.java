package dev.turno.testkit.node;

import java.io.PrintWriter;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.SQLFeatureNotSupportedException;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.logging.Logger;
import javax.sql.DataSource;

/** One node's way to the database, which can be cut (the node is dead) or held up (the node is frozen). Shared by threads. */
final class NodeSource implements DataSource {

    private enum Way {
        OPEN,
        HELD,
        CUT
    }

    private final DataSource target;
    private final Set<Connection> given = ConcurrentHashMap.newKeySet();
    private Way way = Way.OPEN; // guarded by this

    NodeSource(DataSource target) {
        this.target = target;
    }

    synchronized void hold() {
        way = way == Way.CUT ? Way.CUT : Way.HELD;
    }

    /** Of one that is held: who is dead stays dead. */
    synchronized void open() {
        way = way == Way.CUT ? Way.CUT : Way.OPEN;
        notifyAll();
    }

    void cut() {
        synchronized (this) {
            way = Way.CUT;
            notifyAll();
        }
        given.forEach(NodeSource::abort);
    }

    private static void abort(Connection connection) {
        try {
            connection.abort(Runnable::run);
        } catch (SQLException e) {
            // It was closed already, which is as good.
        }
    }

    @Override
    public Connection getConnection() throws SQLException {
        pass();
        Connection connection = target.getConnection();
        given.removeIf(NodeSource::isClosed);
        given.add(connection);
        if (isCut()) { // meanwhile, by somebody who could not know of this one yet
            abort(connection);
        }
        return connection;
    }

    private synchronized boolean isCut() {
        return way == Way.CUT;
    }

    private static boolean isClosed(Connection connection) {
        try {
            return connection.isClosed();
        } catch (SQLException e) {
            return true;
        }
    }

    private synchronized void pass() throws SQLException {
        while (way == Way.HELD) {
            try {
                wait();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new SQLException("Interrupted while the node was paused.", e);
            }
        }
        if (way == Way.CUT) {
            throw new SQLException("This node was killed.", "08001");
        }
    }

    @Override
    public Connection getConnection(String user, String password) throws SQLException {
        throw new SQLFeatureNotSupportedException("A node has one login.");
    }

    @Override
    public PrintWriter getLogWriter() throws SQLException {
        return target.getLogWriter();
    }

    @Override
    public void setLogWriter(PrintWriter out) throws SQLException {
        target.setLogWriter(out);
    }

    @Override
    public void setLoginTimeout(int seconds) throws SQLException {
        target.setLoginTimeout(seconds);
    }

    @Override
    public int getLoginTimeout() throws SQLException {
        return target.getLoginTimeout();
    }

    @Override
    public Logger getParentLogger() throws SQLFeatureNotSupportedException {
        return target.getParentLogger();
    }

    @Override
    public <T> T unwrap(Class<T> type) throws SQLException {
        return target.unwrap(type);
    }

    @Override
    public boolean isWrapperFor(Class<?> type) throws SQLException {
        return target.isWrapperFor(type);
    }
}
