package dev.turno.server.dashboard;

import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/**
 * What a proxy does that has the server under a path: the path is cut off, everything else goes through as it is, streams too. Whatever
 * is asked for outside of the path is not found, so that an absolute address shows.
 */
final class PrefixProxy implements AutoCloseable {

    private final ServerSocket listener = new ServerSocket(0, 100, InetAddress.getLoopbackAddress());
    private final ExecutorService threads = Executors.newCachedThreadPool(work -> {
        Thread thread = new Thread(work, "proxy");
        thread.setDaemon(true);
        return thread;
    });
    private final String prefix;
    private final int target;

    PrefixProxy(String prefix, int target) throws IOException {
        this.prefix = prefix;
        this.target = target;
        threads.execute(this::accept);
    }

    String url() {
        return "http://127.0.0.1:" + listener.getLocalPort() + prefix;
    }

    private void accept() {
        while (!listener.isClosed()) {
            try {
                Socket caller = listener.accept();
                threads.execute(() -> serve(caller));
            } catch (IOException e) {
                return; // closed
            }
        }
    }

    private void serve(Socket caller) {
        try (caller) {
            InputStream in = new BufferedInputStream(caller.getInputStream());
            String head = head(in);
            if (head.isEmpty()) {
                return;
            }
            String[] line = head.substring(0, head.indexOf("\r\n")).split(" ", -1);
            if (!line[1].startsWith(prefix)) {
                caller.getOutputStream()
                        .write("HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\nConnection: close\r\n\r\n"
                                .getBytes(StandardCharsets.US_ASCII));
                return;
            }
            pass(caller, in, head.replaceFirst(" " + prefix, " /"));
        } catch (IOException e) {
            // A browser went away.
        }
    }

    private void pass(Socket caller, InputStream in, String head) throws IOException {
        try (Socket server = new Socket(InetAddress.getLoopbackAddress(), target)) {
            OutputStream out = server.getOutputStream();
            // One request for each connection: the next one's path would have to be found among the bytes.
            String once =
                    head.replaceAll("(?i)\r\nConnection: [^\r]*", "").replaceFirst("\r\n", "\r\nConnection: close\r\n");
            out.write(once.getBytes(StandardCharsets.ISO_8859_1));
            threads.execute(() -> copy(in, out));
            copy(server.getInputStream(), caller.getOutputStream());
        }
    }

    private static void copy(InputStream in, OutputStream out) {
        byte[] buffer = new byte[8192];
        try {
            for (int read = in.read(buffer); read >= 0; read = in.read(buffer)) {
                out.write(buffer, 0, read);
                out.flush();
            }
        } catch (IOException e) {
            // One of the two went away.
        }
    }

    private static String head(InputStream in) throws IOException {
        StringBuilder head = new StringBuilder();
        while (head.indexOf("\r\n\r\n") < 0) {
            int read = in.read();
            if (read < 0) {
                return "";
            }
            head.append((char) read);
        }
        return head.toString();
    }

    @Override
    public void close() throws IOException {
        listener.close();
        threads.shutdownNow();
    }
}
