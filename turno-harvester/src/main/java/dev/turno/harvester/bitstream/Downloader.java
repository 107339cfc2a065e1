package dev.turno.harvester.bitstream;

import dev.turno.harvester.web.HostGates;
import dev.turno.harvester.web.OutsideClient;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.security.DigestInputStream;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.util.HexFormat;
import java.util.Map;
import java.util.Optional;
import org.apache.hc.core5.http.ClassicHttpResponse;
import org.apache.hc.core5.http.HttpEntity;

/** Downloads files, and goes on with what broke off. Shared by threads. */
public final class Downloader {

    private static final int MOST_REDIRECTS = 5;
    private static final Duration LONGEST = Duration.ofHours(1);

    private final DownloadOptions options;
    private final HostGates gates;
    private final OutsideClient client;

    public Downloader(DownloadOptions options, OutsideClient client) {
        this.options = options;
        this.gates = new HostGates(options.perHost(), options.gap());
        this.client = client;
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
                URI asked = uri;
                Object answer = gates.through(String.valueOf(asked.getHost()), () -> ask(asked, file));
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
    private Object ask(URI uri, Path file) {
        Path part = part(file);
        try {
            Files.createDirectories(file.toAbsolutePath().getParent());
            long have = Files.exists(part) ? Files.size(part) : 0;
            OutsideClient.Patience patience = new OutsideClient.Patience(options.timeout(), LONGEST);
            return client.ask(
                    "GET", uri, headers(file, have), patience, response -> answered(uri, file, have, response));
        } catch (OutsideClient.NotAskedException e) {
            return new Downloaded.Refused(String.valueOf(e.getMessage()));
        } catch (IOException e) {
            return new Downloaded.Broken("It broke off: " + e);
        }
    }

    private Object answered(URI uri, Path file, long have, ClassicHttpResponse response) throws IOException {
        int status = response.getCode();
        return switch (status) {
            case 200 -> receive(response, file, 0);
            case 206 -> {
                if (have == 0 || !goesOnAt(response, have)) {
                    Files.deleteIfExists(part(file));
                    yield new Downloaded.Broken("The server sent another part than was asked for; it begins anew.");
                }
                yield receive(response, file, have);
            }
            case 301, 302, 303, 307, 308 -> redirected(uri, response);
            case 416 -> {
                Files.deleteIfExists(part(file));
                yield new Downloaded.Broken("The server cannot go on where the download broke off; it begins anew.");
            }
            case 408, 429, 500, 502, 503, 504 -> new Downloaded.Broken("The server answered " + status + ".");
            default -> new Downloaded.Refused("The server answered " + status + ".");
        };
    }

    private static boolean goesOnAt(ClassicHttpResponse response, long have) {
        return OutsideClient.header(response, "Content-Range")
                .filter(range -> range.startsWith("bytes " + have + "-"))
                .isPresent();
    }

    private static Path part(Path file) {
        return file.resolveSibling(file.getFileName() + ".part");
    }

    private static Path tag(Path file) {
        return file.resolveSibling(file.getFileName() + ".tag");
    }

    private static Map<String, String> headers(Path file, long have) throws IOException {
        // Only the rest, and only of the very same file: otherwise the server sends all of the new one.
        return have > 0 && Files.exists(tag(file))
                ? Map.of("Range", "bytes=" + have + "-", "If-Range", Files.readString(tag(file)))
                : Map.of();
    }

    private static Object redirected(URI from, ClassicHttpResponse response) {
        return OutsideClient.header(response, "Location")
                .<Object>map(from::resolve)
                .orElseGet(() -> new Downloaded.Refused("A redirect that says not where to."));
    }

    private Downloaded receive(ClassicHttpResponse response, Path file, long have) throws IOException {
        Path part = part(file);
        HttpEntity entity = response.getEntity();
        long announced = entity == null ? 0 : entity.getContentLength();
        if (have + announced > options.mostBytes()) {
            return new Downloaded.Refused(
                    "It has " + (have + announced) + " bytes; at most " + options.mostBytes() + ".");
        }
        if (have == 0) {
            remember(response, file);
        }
        InputStream body = entity == null ? InputStream.nullInputStream() : entity.getContent();
        long size = copy(body, part, have);
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
    private static void remember(ClassicHttpResponse response, Path file) throws IOException {
        Optional<String> validator = OutsideClient.header(response, "ETag")
                .filter(tag -> !tag.startsWith("W/"))
                .or(() -> OutsideClient.header(response, "Last-Modified"));
        if (validator.isPresent()) {
            Files.writeString(tag(file), validator.get());
        } else {
            Files.deleteIfExists(tag(file));
        }
    }

    private long copy(InputStream body, Path part, long have) throws IOException {
        StandardOpenOption how = have > 0 ? StandardOpenOption.APPEND : StandardOpenOption.TRUNCATE_EXISTING;
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

    private static Downloaded whole(ClassicHttpResponse response, Path file, long size) throws IOException {
        String sha256 = sha256(part(file));
        Files.move(part(file), file, StandardCopyOption.REPLACE_EXISTING, StandardCopyOption.ATOMIC_MOVE);
        Files.deleteIfExists(tag(file));
        String type = OutsideClient.header(response, "Content-Type").orElse("application/octet-stream");
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
