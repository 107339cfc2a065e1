package dev.turno.testkit.database;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * A network between a client and a database that can be cut, slowed and reset while it is used. Threads may share it.
 *
 * <p>Bytes that come while the way is cut are held, and go on when it heals, as TCP itself would send them again; so is the news
 * that an end was closed. New connections are taken, as from a client whose peer has vanished behind a router, but reach the
 * database only when the way is free. Give each node a proxy of its own to cut off one node.
 */
public final class TcpProxy implements AutoCloseable {

    private static final int BACKLOG = 50;
    private static final int MAXIMUM_CONNECTIONS = 300;

    private final ServerSocket door;
    private final int target;
    private final Gate requests = new Gate();
    private final Gate answers = new Gate();
    private final Set<TcpLink> links = ConcurrentHashMap.newKeySet();
    private volatile boolean refusing;

    private TcpProxy(ServerSocket door, int target) {
        this.door = door;
        this.target = target;
    }

    /** A proxy before a port of this machine. It passes everything until told otherwise. */
    public static TcpProxy to(int port) {
        try {
            var proxy = new TcpProxy(new ServerSocket(Ports.free(), BACKLOG, InetAddress.getLoopbackAddress()), port);
            Thread thread = new Thread(proxy::acceptAll, "proxy-" + proxy.port() + "-to-" + port);
            thread.setDaemon(true);
            thread.start();
            return proxy;
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    /** Where clients connect; see {@link FreshDatabase#urlThrough}. */
    public int port() {
        return door.getLocalPort();
    }

    /** All is well. What was held goes on. */
    public void pass() {
        delay(Duration.ZERO);
    }

    /** Nothing comes through in either direction, and nobody is told: a partition. */
    public void blackhole() {
        refusing = false;
        requests.shut();
        answers.shut();
    }

    /** Requests come through, answers do not: the database commits and the client never hears of it. */
    public void blackholeAnswers() {
        refusing = false;
        requests.open(Duration.ZERO);
        answers.shut();
    }

    /** Each piece, at most 16 KB, takes that much longer, in each direction: a question with its answer twice that. */
    public void delay(Duration delay) {
        refusing = false;
        requests.open(delay);
        answers.open(delay);
    }

    /** Resets all connections at once, with what they hold, and every new one until another mode is chosen. */
    public void reset() {
        refusing = true;
        links.forEach(TcpLink::reset);
    }

    /** How many connections are open. */
    public int connections() {
        return links.size();
    }

    /** Resets all connections and takes no more. */
    @Override
    public void close() {
        reset();
        try {
            door.close();
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    private void acceptAll() {
        while (!door.isClosed()) {
            try {
                accept(door.accept());
            } catch (IOException closed) {
                // Either we are closing, and the loop ends, or one client was too quick to leave.
                LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(1));
            }
        }
    }

    private void accept(Socket client) throws IOException {
        var link = new TcpLink(client, target, requests, answers, links::remove);
        links.add(link);
        // Asked after adding, so that a reset in between misses no connection.
        if (refusing || links.size() > MAXIMUM_CONNECTIONS) {
            link.reset();
        } else {
            link.start();
        }
    }
}
