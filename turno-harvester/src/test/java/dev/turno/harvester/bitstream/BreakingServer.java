package dev.turno.harvester.bitstream;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** Serves one file, and hangs up after so many bytes of each answer. */
final class BreakingServer implements AutoCloseable {

    private final byte[] content;
    private final int breaksAfter;
    private final ServerSocket socket;
    private final List<String> ranges = new CopyOnWriteArrayList<>();
    private volatile int offBy;
    private volatile String tag = "\"v1\"";

    BreakingServer(byte[] content, int breaksAfter) throws IOException {
        this.content = content.clone();
        this.breaksAfter = breaksAfter;
        this.socket = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        Thread thread = new Thread(this::serve, "breaking server");
        thread.setDaemon(true);
        thread.start();
    }

    String url() {
        return "http://localhost:" + socket.getLocalPort() + "/bitstream/1.pdf";
    }

    /** The ranges that were asked for, in order; empty for everything. */
    List<String> ranges() {
        return ranges;
    }

    /** From now on it says that its parts begin elsewhere. */
    void lieAboutTheRange() {
        offBy = 1;
    }

    void change(String newTag) {
        tag = newTag;
    }

    private void serve() {
        while (!socket.isClosed()) {
            try (Socket connection = socket.accept()) {
                answer(connection);
            } catch (IOException e) {
                // The client went, or the server is closed.
            }
        }
    }

    private void answer(Socket connection) throws IOException {
        BufferedReader in =
                new BufferedReader(new InputStreamReader(connection.getInputStream(), StandardCharsets.US_ASCII));
        String range = "";
        String ifRange = "";
        for (String line = in.readLine(); line != null && !line.isEmpty(); line = in.readLine()) {
            range = line.toLowerCase(java.util.Locale.ROOT).startsWith("range: bytes=")
                    ? line.substring(13).replace("-", "")
                    : range;
            ifRange = line.toLowerCase(java.util.Locale.ROOT).startsWith("if-range: ") ? line.substring(10) : ifRange;
        }
        ranges.add(range);
        int from = !range.isEmpty() && ifRange.equals(tag) ? Integer.parseInt(range) : 0;
        OutputStream out = connection.getOutputStream();
        String status = from > 0
                ? "206 Partial Content\r\nContent-Range: bytes " + (from + offBy) + "-" + (content.length - 1) + "/"
                        + content.length
                : "200 OK";
        out.write(("HTTP/1.1 " + status + "\r\nContent-Type: application/pdf\r\nETag: " + tag + "\r\nContent-Length: "
                        + (content.length - from) + "\r\nConnection: close\r\n\r\n")
                .getBytes(StandardCharsets.US_ASCII));
        int length = Math.min(breaksAfter, content.length - from);
        out.write(content, from, length);
        out.flush();
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
