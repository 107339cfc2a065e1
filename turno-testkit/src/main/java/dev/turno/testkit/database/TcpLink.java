package dev.turno.testkit.database;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.util.function.Consumer;

/** One connection through a {@link TcpProxy}, carried by two threads, one for each direction. */
final class TcpLink {

    private static final int PIECE = 16 * 1024;

    private final Socket client;
    private final Socket server = new Socket();
    private final int target;
    private final Gate requests;
    private final Gate answers;
    private final Consumer<TcpLink> onEnd;
    private final Thread asking = new Thread(() -> carry(this::ask), "proxy-requests");
    private final Thread answering = new Thread(() -> carry(this::answer), "proxy-answers");

    TcpLink(Socket client, int target, Gate requests, Gate answers, Consumer<TcpLink> onEnd) throws IOException {
        this.client = client;
        this.target = target;
        this.requests = requests;
        this.answers = answers;
        this.onEnd = onEnd;
        client.setTcpNoDelay(true);
        asking.setDaemon(true);
        answering.setDaemon(true);
    }

    void start() {
        asking.start();
    }

    /** Closing with a linger time of zero sends RST instead of FIN. */
    void reset() {
        end(true);
    }

    private interface Work {
        void run() throws IOException, InterruptedException;
    }

    private void carry(Work work) {
        try {
            work.run();
            end(false);
        } catch (IOException | InterruptedException broken) {
            end(true);
        }
    }

    private void ask() throws IOException, InterruptedException {
        requests.pass();
        server.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), target));
        server.setTcpNoDelay(true);
        answering.start();
        copy(client, server, requests);
    }

    private void answer() throws IOException, InterruptedException {
        copy(server, client, answers);
    }

    private static void copy(Socket source, Socket sink, Gate gate) throws IOException, InterruptedException {
        InputStream in = source.getInputStream();
        OutputStream out = sink.getOutputStream();
        byte[] piece = new byte[PIECE];
        for (int length = in.read(piece); length >= 0; length = in.read(piece)) {
            gate.pass();
            out.write(piece, 0, length);
        }
        // The end has to wait at the gate like anything else.
        gate.pass();
    }

    private void end(boolean abruptly) {
        close(client, abruptly);
        close(server, abruptly);
        asking.interrupt();
        answering.interrupt();
        onEnd.accept(this);
    }

    private static void close(Socket socket, boolean abruptly) {
        try (socket) {
            if (abruptly && !socket.isClosed()) {
                socket.setSoLinger(true, 0);
            }
        } catch (IOException alreadyGone) {
            // All we wanted.
        }
    }
}
