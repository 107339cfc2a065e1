package dev.turno.harvester.bitstream;

import dev.turno.harvester.web.HostGates;
import dev.turno.harvester.web.OwnNetwork;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.security.DigestInputStream;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.util.HexFormat;
import java.util.Optional;

/** Downloads files, and goes on with what broke off. Shared by threads. */
public final class Downloader {

    private static final int MOST_REDIRECTS = 5;
    private static final Duration CONNECT = Duration.ofSeconds(10);

    private final DownloadOptions options;
    private final HostGates gates;
    private final OwnNetwork neighbours;
    // Redirects are followed here, each address being looked at before it is asked.
    private final HttpClient client = HttpClient.newBuilder()
            .connectTimeout(CONNECT)
            .followRedirects(HttpClient.Redirect.NEVER)
            .build();

    public Downloader(DownloadOptions options) {
        this.options = options;
        this.gates = new HostGates(options.perHost(), options.gap());
        this.neighbours = new OwnNetwork(options.allow());
    }

    /** Downloads to a file; what is incomplete lies beside it until it is whole. */
    public Downloaded download(String url, Path file) throws InterruptedException {
        Downloaded last = new Downloaded.Broken("It was not tried.");
        for (int tries = 1; tries <= options.tries(); tries++) {
            last = attempt(url, file);
            if (!(last instanceof Downloaded.Broken)) {
                return last;
            }
        }
        return last;
    }

    private Downloaded attempt(String url, Path file) throws InterruptedException {
        try {
            URI uri = URI.create(url);
            for (int redirects = 0; redirects <= MOST_REDIRECTS; redirects++) {
                Optional<String> forbidden = neighbours.forbids(uri);
                if (forbidden.isPresent()) {
                    return new Downloaded.Refused(forbidden.get());
                }
                URI asked = uri;
                Object answer = gates.through(asked.getHost(), () -> ask(asked, file));
                if (answer instanceof Downloaded downloaded) {
                    return downloaded;
                }
                uri = (URI) answer;
            }
            return new Downloaded.Refused("More than " + MOST_REDIRECTS + " redirects.");
        } catch (IllegalArgumentException e) {
            return new Downloaded.Refused("'" + url + "' is not a URL: " + e.getMessage());
        }
    }

    /** What became of it, or where to ask instead. */
    private Object ask(URI uri, Path file) throws InterruptedException {
        Path part = part(file);
        try {
            Files.createDirectories(file.toAbsolutePath().getParent());
            long have = Files.exists(part) ? Files.size(part) : 0;
            HttpResponse<InputStream> response =
                    client.send(request(uri, file, have), HttpResponse.BodyHandlers.ofInputStream());
            try (InputStream body = response.body()) {
                return switch (response.statusCode()) {
                    case 200 -> receive(response, body, file, false);
                    case 206 -> receive(response, body, file, true);
                    case 301, 302, 303, 307, 308 -> redirected(uri, response);
                    case 416 -> {
                        Files.deleteIfExists(part);
                        yield new Downloaded.Broken(
                                "The server cannot go on where the download broke off; it begins anew.");
                    }
                    case 408, 429, 500, 502, 503, 504 ->
                        new Downloaded.Broken("The server answered " + response.statusCode() + ".");
                    default -> new Downloaded.Refused("The server answered " + response.statusCode() + ".");
                };
            }
        } catch (IOException e) {
            return new Downloaded.Broken("It broke off: " + e);
        }
    }

    private static Path part(Path file) {
        return file.resolveSibling(file.getFileName() + ".part");
    }

    private static Path tag(Path file) {
        return file.resolveSibling(file.getFileName() + ".tag");
    }

    private HttpRequest request(URI uri, Path file, long have) throws IOException {
        HttpRequest.Builder request = HttpRequest.newBuilder(uri).timeout(options.timeout());
        if (have > 0 && Files.exists(tag(file))) {
            // Only the rest, and only of the very same file: otherwise the server sends all of the new one.
            request.header("Range", "bytes=" + have + "-").header("If-Range", Files.readString(tag(file)));
        }
        return request.GET().build();
    }

    private static Object redirected(URI from, HttpResponse<?> response) {
        return response.headers()
                .firstValue("Location")
                .<Object>map(from::resolve)
                .orElseGet(() -> new Downloaded.Refused("A redirect that says not where to."));
    }

    private Downloaded receive(HttpResponse<?> response, InputStream body, Path file, boolean goesOn)
            throws IOException {
        Path part = part(file);
        long have = goesOn ? Files.size(part) : 0;
        long announced = response.headers().firstValueAsLong("Content-Length").orElse(-1);
        if (have + announced > options.mostBytes()) {
            return new Downloaded.Refused(
                    "It has " + (have + announced) + " bytes; at most " + options.mostBytes() + ".");
        }
        if (!goesOn) {
            remember(response, file);
        }
        long size = copy(body, part, have, goesOn);
        if (size > options.mostBytes()) {
            Files.deleteIfExists(part);
            return new Downloaded.Refused("It has more than " + options.mostBytes() + " bytes.");
        }
        if (announced >= 0 && size < have + announced) {
            return new Downloaded.Broken("It broke off after " + size + " of " + (have + announced) + " bytes.");
        }
        return whole(response, file, size);
    }

    /** What tells this very file from a newer one; a weak tag does not. */
    private static void remember(HttpResponse<?> response, Path file) throws IOException {
        Optional<String> validator = response.headers()
                .firstValue("ETag")
                .filter(tag -> !tag.startsWith("W/"))
                .or(() -> response.headers().firstValue("Last-Modified"));
        if (validator.isPresent()) {
            Files.writeString(tag(file), validator.get());
        } else {
            Files.deleteIfExists(tag(file));
        }
    }

    private long copy(InputStream body, Path part, long have, boolean goesOn) throws IOException {
        StandardOpenOption how = goesOn ? StandardOpenOption.APPEND : StandardOpenOption.TRUNCATE_EXISTING;
        long size = have;
        try (OutputStream out = Files.newOutputStream(part, StandardOpenOption.CREATE, StandardOpenOption.WRITE, how)) {
            byte[] buffer = new byte[64 * 1024];
            for (int n = body.read(buffer); n >= 0 && size <= options.mostBytes(); n = body.read(buffer)) {
                out.write(buffer, 0, n);
                size += n;
            }
        }
        return size;
    }

    private static Downloaded whole(HttpResponse<?> response, Path file, long size) throws IOException {
        String sha256 = sha256(part(file));
        Files.move(part(file), file, StandardCopyOption.REPLACE_EXISTING, StandardCopyOption.ATOMIC_MOVE);
        Files.deleteIfExists(tag(file));
        String type = response.headers().firstValue("Content-Type").orElse("application/octet-stream");
        return new Downloaded.Done(file, size, sha256, type.length() <= 200 ? type : type.substring(0, 200));
    }

    static String sha256(Path file) throws IOException {
        try (DigestInputStream in =
                new DigestInputStream(Files.newInputStream(file), MessageDigest.getInstance("SHA-256"))) {
            in.transferTo(OutputStream.nullOutputStream());
            return HexFormat.of().formatHex(in.getMessageDigest().digest());
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("Every Java has SHA-256.", e);
        }
    }
}
