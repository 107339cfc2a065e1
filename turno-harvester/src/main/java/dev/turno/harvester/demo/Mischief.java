package dev.turno.harvester.demo;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;
import java.util.zip.GZIPOutputStream;

/** A way to misbehave: changes an answer before it is sent. */
@FunctionalInterface
public interface Mischief {

    Reply on(Question question, Reply reply);

    static Mischief none() {
        return (question, reply) -> reply;
    }

    /** This, then another. */
    default Mischief and(Mischief other) {
        return (question, reply) -> other.on(question, on(question, reply));
    }

    /** Only on one page of a list. */
    static Mischief onPage(int page, UnaryOperator<Reply> change) {
        return when(question -> question.page() == page, change);
    }

    /** Only the first times that a page is asked for. */
    static Mischief onPage(int page, int times, UnaryOperator<Reply> change) {
        AtomicInteger left = new AtomicInteger(times);
        return when(question -> question.page() == page && left.getAndDecrement() > 0, change);
    }

    static Mischief when(Predicate<Question> condition, UnaryOperator<Reply> change) {
        return (question, reply) -> condition.test(question) ? change.apply(reply) : reply;
    }

    static UnaryOperator<Reply> status(int status) {
        return reply -> reply.with(status).with("refused");
    }

    static UnaryOperator<Reply> retryAfter(int status, String when) {
        return reply -> reply.with(status).with("").with("Retry-After", when);
    }

    /** The date in which Retry-After may be given instead of seconds. */
    static String httpDate(Duration fromNow) {
        return DateTimeFormatter.RFC_1123_DATE_TIME.format(
                ZonedDateTime.now(ZoneOffset.UTC).plus(fromNow));
    }

    static UnaryOperator<Reply> webPage() {
        return reply -> reply.with(
                        "<!DOCTYPE html><html><head><title>Maintenance</title></head><body><p>Back soon<br></body></html>")
                .with("Content-Type", "text/html");
    }

    static UnaryOperator<Reply> nothing() {
        return reply -> reply.with("");
    }

    static UnaryOperator<Reply> cutOff() {
        return reply -> reply.with(java.util.Arrays.copyOf(reply.body(), reply.body().length * 2 / 3));
    }

    static UnaryOperator<Reply> text(UnaryOperator<String> change) {
        return reply -> reply.with(change.apply(reply.text()));
    }

    /** Says UTF-8, or nothing, and sends Latin-1. */
    static UnaryOperator<Reply> latin1(boolean declared) {
        return reply -> reply.with((declared ? reply.text() : reply.text().replace(" encoding=\"UTF-8\"", ""))
                .getBytes(StandardCharsets.ISO_8859_1));
    }

    static UnaryOperator<Reply> slow(Duration wait) {
        return reply -> reply.after(wait);
    }

    static UnaryOperator<Reply> gzip() {
        return reply -> reply.with(packed(reply.body())).with("Content-Encoding", "gzip");
    }

    /** A few kilobytes that unpack to very many. */
    static UnaryOperator<Reply> gzipBomb(int megabytes) {
        return reply -> {
            byte[] blanks = new byte[1 << 20];
            java.util.Arrays.fill(blanks, (byte) ' ');
            ByteArrayOutputStream bytes = new ByteArrayOutputStream();
            try (GZIPOutputStream out = new GZIPOutputStream(bytes)) {
                out.write("<OAI-PMH>".getBytes(StandardCharsets.UTF_8));
                for (int i = 0; i < megabytes; i++) {
                    out.write(blanks);
                }
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
            return reply.with(bytes.toByteArray()).with("Content-Encoding", "gzip");
        };
    }

    private static byte[] packed(byte[] plain) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (GZIPOutputStream out = new GZIPOutputStream(bytes)) {
            out.write(plain);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return bytes.toByteArray();
    }
}
