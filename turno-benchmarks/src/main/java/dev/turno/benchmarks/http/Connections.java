package dev.turno.benchmarks.http;

import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** A client that costs next to nothing, so that the server is measured and not the client. One thread to a connection. */
public final class Connections implements AutoCloseable {

    private record Connection(Socket socket, InputStream in) {}

    private final List<Connection> all = new ArrayList<>();
    private final String token;

    public Connections(int port, int count, String token) throws IOException {
        this.token = token;
        for (int i = 0; i < count; i++) {
            Socket socket = new Socket(InetAddress.getLoopbackAddress(), port);
            socket.setTcpNoDelay(true);
            all.add(new Connection(socket, new BufferedInputStream(socket.getInputStream())));
        }
    }

    /** The body of the answer. */
    public String post(int connection, String path, String body) throws IOException {
        byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
        String head = "POST " + path + " HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer " + token
                + "\r\nContent-Type: application/json\r\nContent-Length: " + bytes.length + "\r\n\r\n";
        byte[] request = (head + body).getBytes(StandardCharsets.UTF_8);
        Connection one = all.get(connection);
        one.socket().getOutputStream().write(request);
        return readAnswer(one.in());
    }

    private static String readAnswer(InputStream in) throws IOException {
        String status = line(in);
        if (!status.startsWith("HTTP/1.1 20")) {
            throw new IOException("The server answered " + status);
        }
        int length = -1; // unless it says so, it comes in chunks
        for (String header = line(in); !header.isEmpty(); header = line(in)) {
            if (header.toLowerCase(Locale.ROOT).startsWith("content-length:")) {
                length = Integer.parseInt(header.substring(15).strip());
            }
        }
        if (length >= 0) {
            return text(in, length);
        }
        StringBuilder body = new StringBuilder();
        for (int chunk = chunk(in); chunk > 0; chunk = chunk(in)) {
            body.append(text(in, chunk));
            in.skipNBytes(2);
        }
        line(in);
        return body.toString();
    }

    private static String text(InputStream in, int length) throws IOException {
        return new String(in.readNBytes(length), StandardCharsets.ISO_8859_1);
    }

    private static int chunk(InputStream in) throws IOException {
        return Integer.parseInt(line(in), 16);
    }

    private static String line(InputStream in) throws IOException {
        StringBuilder line = new StringBuilder();
        for (int next = in.read(); next != '\n'; next = in.read()) {
            if (next < 0) {
                throw new IOException("The server closed the connection.");
            }
            if (next != '\r') {
                line.append((char) next);
            }
        }
        return line.toString();
    }

    @Override
    public void close() throws IOException {
        for (Connection connection : all) {
            connection.socket().close();
        }
    }
}
