package dev.turno.proof;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStreamWriter;
import java.io.Writer;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/**
 * What processes say that they did, in the order in which it was said, over connections of its own and without any database: who
 * says something goes on only when it stands there. Threads may share it.
 */
final class LockLedger implements AutoCloseable {

    private static final long A_WHILE_MS = 100;

    private final ServerSocket server;
    private final List<String> lines = new ArrayList<>(); // guarded by this
    private int meeting; // guarded by this

    private LockLedger(ServerSocket server) {
        this.server = server;
    }

    static LockLedger open() throws IOException {
        var ledger = new LockLedger(new ServerSocket(0, 100, InetAddress.getLoopbackAddress()));
        daemon(ledger::accept);
        return ledger;
    }

    int port() {
        return server.getLocalPort();
    }

    synchronized List<String> lines() {
        return List.copyOf(lines);
    }

    private void accept() {
        try {
            while (true) {
                Socket socket = server.accept();
                daemon(() -> listen(socket));
            }
        } catch (IOException closed) {
            // The test is over.
        }
    }

    private void listen(Socket socket) {
        try (socket;
                var in = reader(socket);
                var out = writer(socket)) {
            for (String line = in.readLine(); line != null; line = in.readLine()) {
                add(line);
                out.write("ok\n");
                out.flush();
            }
        } catch (IOException gone) {
            // Killed: what it said before is kept.
        } catch (InterruptedException nobodys) {
            Thread.currentThread().interrupt();
        }
    }

    /** The first so many who say something go on only when all of them have: they certainly are there at the same time. */
    synchronized void meet(int together) {
        meeting = together;
    }

    private synchronized void add(String line) throws InterruptedException {
        lines.add(line);
        notifyAll();
        long end = System.nanoTime() + Stage.SOON.toNanos();
        while (lines.size() < meeting && end - System.nanoTime() > 0) {
            wait(A_WHILE_MS);
        }
    }

    private static void daemon(Runnable work) {
        Thread thread = new Thread(work, "lock-ledger");
        thread.setDaemon(true);
        thread.start();
    }

    private static BufferedReader reader(Socket socket) throws IOException {
        return new BufferedReader(new InputStreamReader(socket.getInputStream(), StandardCharsets.UTF_8));
    }

    private static Writer writer(Socket socket) throws IOException {
        return new OutputStreamWriter(socket.getOutputStream(), StandardCharsets.UTF_8);
    }

    @Override
    public void close() throws IOException {
        server.close();
    }

    /** The side of those who say. Belongs to one thread. */
    static final class Client implements AutoCloseable {

        private final Socket socket;
        private final BufferedReader in;
        private final Writer out;

        private Client(Socket socket) throws IOException {
            this.socket = socket;
            socket.setTcpNoDelay(true);
            this.in = reader(socket);
            this.out = writer(socket);
        }

        static Client open(int port) throws IOException {
            return new Client(new Socket(InetAddress.getLoopbackAddress(), port));
        }

        void say(String line) throws IOException {
            out.write(line + "\n");
            out.flush();
            if (in.readLine() == null) {
                throw new IOException("The ledger is gone.");
            }
        }

        @Override
        public void close() throws IOException {
            socket.close();
        }
    }
}
