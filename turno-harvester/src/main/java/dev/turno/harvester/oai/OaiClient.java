package dev.turno.harvester.oai;

import java.io.CharConversionException;
import java.io.IOException;
import java.io.InputStream;
import java.io.StringReader;
import java.net.URI;
import java.net.http.HttpHeaders;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeParseException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import javax.xml.stream.XMLStreamException;

/** Asks OAI-PMH sources. Shared by threads. */
public final class OaiClient {

    private static final Duration SHORTEST_PAUSE =
            Duration.ofSeconds(1); // a source that says 0 would be asked without end
    private static final Duration LONGEST_PAUSE = Duration.ofHours(24);
    private static final Duration CLOCKS_DIFFER = Duration.ofDays(1);
    private static final Duration LONGEST_WAIT = Duration.ofSeconds(10);
    private static final long LOOK_UP = Duration.ofMillis(50).toNanos();
    private static final int MOST_LISTS = 50;
    private static final int REPAIRABLE = 32 << 20;

    private final OaiOptions options;
    private final Http http;

    public OaiClient(OaiOptions options) {
        this.options = options;
        this.http = new Http(options);
    }

    /**
     * Fetches one page and gives its records to the sink.
     *
     * @param stop asked while it waits; true ends it with {@link OaiException.Kind#STOPPED}
     */
    public OaiPage listRecords(ListRequest request, RecordSink sink, BooleanSupplier stop) throws OaiException {
        return trying(request.uri(), stop, answer -> {
            Reading reading = new Reading(request.metadataPrefix(), sink);
            return reading.page(answer);
        });
    }

    /** Asks who the source is, and what its clock says. */
    public Identity identify(String baseUrl, BooleanSupplier stop) throws OaiException {
        PageReader reader = ask(baseUrl, "verb=Identify", stop);
        OaiPage page = reader.page(Optional.empty());
        if (reader.values().isEmpty()) {
            throw OaiException.lasting("The source answered Identify "
                    + page.error()
                            .map(error -> "with the error " + error.code() + ": " + error.message())
                            .orElse("without saying who it is")
                    + ".");
        }
        List<String> warnings = new ArrayList<>(page.warnings());
        String granularity = reader.values().getOrDefault("granularity", "");
        if (granularity.isEmpty()) {
            warnings.add("It does not tell its granularity; days are used.");
        }
        Instant ours = Instant.now();
        Instant clock = page.responseDate().orElseGet(() -> {
            warnings.add("It does not tell its time; this computer's is used, less an hour.");
            return ours.minus(Duration.ofHours(1));
        });
        boolean agreed = Duration.between(ours, clock).abs().compareTo(CLOCKS_DIFFER) <= 0;
        if (!agreed) {
            warnings.add("Its clock says " + clock + ", this computer's " + ours
                    + ". One of them is wrong: the earlier one is believed, and no end is asked for.");
        }
        return new Identity(
                reader.values().getOrDefault("repositoryName", ""),
                reader.values().getOrDefault("baseURL", ""),
                Granularity.of(granularity),
                reader.values().getOrDefault("deletedRecord", "no"),
                reader.values().getOrDefault("earliestDatestamp", ""),
                agreed || clock.isBefore(ours) ? clock : ours,
                agreed,
                warnings);
    }

    /** The formats that the source offers. */
    public List<String> formats(String baseUrl, BooleanSupplier stop) throws OaiException {
        return ask(baseUrl, "verb=ListMetadataFormats", stop).listed();
    }

    /** The sets that the source has; empty if it has none. */
    public List<String> sets(String baseUrl, BooleanSupplier stop) throws OaiException {
        List<String> sets = new ArrayList<>();
        String query = "verb=ListSets";
        for (int pages = 0; pages < MOST_LISTS; pages++) {
            PageReader reader = ask(baseUrl, query, stop);
            sets.addAll(reader.listed());
            Optional<String> token = reader.page(Optional.empty()).token();
            if (token.isEmpty()) {
                return sets;
            }
            query = "verb=ListSets&resumptionToken=" + ListRequest.encode(token.get());
        }
        return sets;
    }

    private PageReader ask(String baseUrl, String query, BooleanSupplier stop) throws OaiException {
        return trying(
                ListRequest.join(baseUrl, query), stop, answer -> new Reading("", new Discarding()).plain(answer));
    }

    @FunctionalInterface
    private interface Work<T> {
        T on(Http.Answer answer) throws OaiException, IOException;
    }

    /** Tries passing failures a few times at once; what lasts longer is the caller's to wait for. */
    private <T> T trying(URI uri, BooleanSupplier stop, Work<T> work) throws OaiException {
        for (int tries = 1; ; tries++) {
            try {
                return once(uri, stop, work);
            } catch (OaiException e) {
                if (e.kind() != OaiException.Kind.PASSING || tries == options.quickTries()) {
                    throw e.kind() == OaiException.Kind.STOPPED ? e : told(e, uri, tries);
                }
                pause(tries, stop);
            }
        }
    }

    private static OaiException told(OaiException e, URI uri, int tries) {
        return e.saying(e.getMessage() + " Asked for " + uri + (tries > 1 ? ", " + tries + " times." : "."));
    }

    private <T> T once(URI uri, BooleanSupplier stop, Work<T> work) throws OaiException {
        try {
            Http.Answer answer = http.get(uri, stop);
            try (Body body = answer.body()) {
                return work.on(answer);
            }
        } catch (Body.TooLargeException e) {
            throw OaiException.lasting(e.getMessage() + " If such pages are wanted, raise the limit.");
        } catch (IOException e) {
            throw OaiException.passing("The source could not be reached or broke off: " + e + ".");
        } catch (IllegalArgumentException e) {
            throw OaiException.lasting("The address cannot be used: " + e.getMessage() + ".");
        }
    }

    private void pause(int tries, BooleanSupplier stop) throws OaiException {
        long most = Math.min(LONGEST_WAIT.toNanos(), options.firstWait().toNanos() << (tries - 1));
        long end = System.nanoTime() + ThreadLocalRandom.current().nextLong(most / 2, most + 1);
        while (end - System.nanoTime() > 0) {
            if (stop.getAsBoolean() || Thread.currentThread().isInterrupted()) {
                throw OaiException.stopped();
            }
            LockSupport.parkNanos(Math.min(LOOK_UP, Math.max(1, end - System.nanoTime())));
        }
    }

    /** The reading of one answer. */
    final class Reading {

        private final String metadataPrefix;
        private final RecordSink sink;

        Reading(String metadataPrefix, RecordSink sink) {
            this.metadataPrefix = metadataPrefix;
            this.sink = sink;
        }

        OaiPage page(Http.Answer answer) throws OaiException, IOException {
            if (answer.status() != 200) {
                return refusal(answer);
            }
            PageReader reader = reader();
            String why = "its encoding is declared wrongly";
            if (!isMislabelled(answer)) {
                try (InputStream in = open(answer)) {
                    reader.read(in);
                    return reader.page(Optional.empty());
                } catch (XMLStreamException e) {
                    throwIfNotXmlsFault(e);
                    why = String.valueOf(e.getMessage()).lines().findFirst().orElse("");
                } catch (PageReader.NotOaiException e) {
                    why = String.valueOf(e.getMessage());
                }
            }
            return new Repair(metadataPrefix, options.recordChars(), sink).read(bytes(answer), why);
        }

        PageReader plain(Http.Answer answer) throws OaiException, IOException {
            if (answer.status() != 200) {
                refusal(answer);
            }
            PageReader reader = reader();
            try (InputStream in = open(answer)) {
                reader.read(in);
                return reader;
            } catch (XMLStreamException e) {
                throwIfNotXmlsFault(e);
            } catch (PageReader.NotOaiException e) {
                throw OaiException.passing("The answer is not OAI-PMH. " + e.getMessage());
            }
            return repaired(answer);
        }

        private PageReader repaired(Http.Answer answer) throws OaiException, IOException {
            PageReader reader = reader();
            String text = Repair.decode(bytes(answer));
            int root = text.indexOf("OAI-PMH");
            try {
                reader.read(new StringReader(Repair.clean(
                        text.substring(Math.max(0, text.lastIndexOf('<', Math.max(0, root)))))));
                reader.warn("The answer was not well-formed and was repaired.");
                return reader;
            } catch (XMLStreamException | PageReader.NotOaiException e) {
                throw OaiException.passing("The answer is not OAI-PMH but begins with: " + Repair.beginning(text));
            }
        }

        private PageReader reader() {
            return new PageReader(metadataPrefix, options.recordChars(), sink);
        }

        /** Some sources send the protocol's own errors with a status other than 200. */
        private OaiPage refusal(Http.Answer answer) throws OaiException, IOException {
            int status = answer.status();
            if (status >= 400 && status < 500 && status != 429) {
                PageReader reader = reader();
                try (InputStream in = open(answer)) {
                    reader.read(in);
                    OaiPage page = reader.page(Optional.empty());
                    if (page.error().isPresent()) {
                        return page;
                    }
                } catch (XMLStreamException | PageReader.NotOaiException e) {
                    // A plain refusal, as it should be.
                }
            }
            throw refused(status, answer.headers());
        }

        private void throwIfNotXmlsFault(XMLStreamException e) throws IOException {
            for (Throwable cause = e; cause != null; cause = cause.getCause()) {
                if (cause instanceof IOException io && !(cause instanceof CharConversionException)) {
                    throw io;
                }
                Throwable nested = cause instanceof XMLStreamException xml ? xml.getNestedException() : null;
                if (nested instanceof IOException io && !(nested instanceof CharConversionException)) {
                    throw io;
                }
            }
        }

        /** Declared as something else, but UTF-8 all the same: read as declared it would be garbled without any error. */
        private boolean isMislabelled(Http.Answer answer) throws IOException {
            byte[] head;
            try (InputStream in = open(answer)) {
                head = in.readNBytes(200);
            }
            Optional<String> declared = Repair.declared(head).filter(name -> !name.equalsIgnoreCase("UTF-8"));
            if (declared.isEmpty() || answer.body().size() > REPAIRABLE) {
                return false;
            }
            byte[] all = beginning(answer);
            return all.length <= REPAIRABLE && isReallyUtf8(all); // a larger one, unpacked, is believed what it says
        }

        private boolean isReallyUtf8(byte[] bytes) {
            boolean plain = true;
            for (byte one : bytes) {
                plain &= one >= 0;
            }
            try {
                return !plain
                        && StandardCharsets.UTF_8
                                        .newDecoder()
                                        .decode(ByteBuffer.wrap(bytes))
                                        .length()
                                > 0;
            } catch (CharacterCodingException e) {
                return false;
            }
        }

        private InputStream open(Http.Answer answer) throws IOException {
            boolean gzip = answer.headers()
                    .firstValue("Content-Encoding")
                    .filter(coding -> coding.toLowerCase(Locale.ROOT).contains("gzip"))
                    .isPresent();
            return answer.body().open(gzip, options.pageBytes());
        }

        private byte[] bytes(Http.Answer answer) throws OaiException, IOException {
            byte[] bytes = beginning(answer);
            if (bytes.length > REPAIRABLE) {
                throw OaiException.passing("The page is not well-formed and, with more than " + REPAIRABLE
                        + " bytes, too large to be repaired.");
            }
            return bytes;
        }

        /** All of it, or one byte more than can be repaired. */
        private byte[] beginning(Http.Answer answer) throws IOException {
            try (InputStream in = open(answer)) {
                return in.readNBytes(REPAIRABLE + 1);
            }
        }
    }

    private static OaiException refused(int status, HttpHeaders headers) {
        Optional<Duration> pause = headers.firstValue("Retry-After").flatMap(OaiClient::pauseOf);
        if ((status == 503 || status == 429) && pause.isPresent()) {
            Duration in = between(SHORTEST_PAUSE, pause.get(), LONGEST_PAUSE);
            return OaiException.later(in, "The source answered " + status + " and asked to come back in " + in + ".");
        }
        return status >= 500 || status == 429 || status == 408 || status == 425
                ? OaiException.passing("The source answered with status " + status + ".")
                : OaiException.refused(status);
    }

    private static Duration between(Duration least, Duration wished, Duration most) {
        return wished.compareTo(least) < 0 ? least : wished.compareTo(most) > 0 ? most : wished;
    }

    /** Seconds, or a date. */
    static Optional<Duration> pauseOf(String header) {
        String text = header.strip();
        try {
            return text.chars().allMatch(Character::isDigit) && !text.isEmpty()
                    ? Optional.of(Duration.ofSeconds(Long.parseLong(text.substring(0, Math.min(9, text.length())))))
                    : Optional.of(until(ZonedDateTime.parse(text, DateTimeFormatter.RFC_1123_DATE_TIME)
                            .toInstant()));
        } catch (DateTimeParseException e) {
            return Optional.empty();
        }
    }

    private static Duration until(Instant moment) {
        Duration left = Duration.between(Instant.now(), moment);
        return left.isNegative() ? Duration.ZERO : left;
    }
}
