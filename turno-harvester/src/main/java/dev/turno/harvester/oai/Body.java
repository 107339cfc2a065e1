package dev.turno.harvester.oai;

import java.io.ByteArrayInputStream;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.zip.GZIPInputStream;
import org.jspecify.annotations.Nullable;

/**
 * An answer's bytes: in memory while it is small, else in a temporary file. Filled by one thread, then read by another, which may also
 * give it up while it is being filled.
 */
final class Body implements AutoCloseable {

    private static final int IN_MEMORY = 4 << 20;
    private static final int FIRST = 64 << 10;
    private static final byte[] NOTHING = new byte[0];

    private final long most;
    private byte[] memory = NOTHING;
    private @Nullable Path file;
    private @Nullable OutputStream toFile;
    private long size;
    private boolean closed;

    /** @param most more bytes than that are refused */
    Body(long most) {
        this.most = most;
    }

    synchronized void add(ByteBuffer part) throws IOException {
        if (closed) {
            return; // given up while it was still coming
        }
        int had = (int) Math.min(size, IN_MEMORY);
        size += part.remaining();
        if (size > most) {
            throw new TooLargeException("The answer has more than " + most + " bytes and was not read further.");
        }
        if (toFile == null && size > IN_MEMORY) {
            Path made = Files.createTempFile("turno-oai-", ".page");
            file = made;
            toFile = Files.newOutputStream(made);
            toFile.write(memory, 0, had);
            memory = NOTHING;
        }
        if (toFile == null) {
            if (size > memory.length) {
                memory = Arrays.copyOf(memory, (int) Math.max(size, Math.max(FIRST, 2L * memory.length)));
            }
            part.get(memory, had, part.remaining());
        } else {
            byte[] bytes = new byte[part.remaining()];
            part.get(bytes);
            toFile.write(bytes);
        }
    }

    synchronized void complete() throws IOException {
        if (toFile != null) {
            toFile.close();
        }
    }

    long size() {
        return size;
    }

    /** The bytes as they came, or unpacked, up to a limit. */
    InputStream open(boolean gzip, long mostUnpacked) throws IOException {
        InputStream plain = file == null ? new ByteArrayInputStream(memory, 0, (int) size) : Files.newInputStream(file);
        return gzip ? new Limited(new GZIPInputStream(plain, 64 << 10), mostUnpacked) : plain;
    }

    @Override
    public synchronized void close() {
        closed = true;
        memory = NOTHING;
        try {
            complete();
            if (file != null) {
                Files.deleteIfExists(file);
            }
        } catch (IOException e) {
            // A temporary file that cannot be removed now is the operating system's to remove.
        }
    }

    /** More than a page may have. */
    static final class TooLargeException extends IOException {
        TooLargeException(String message) {
            super(message);
        }
    }

    private static final class Limited extends FilterInputStream {

        private final long most;
        private long left;

        Limited(InputStream in, long most) {
            super(in);
            this.most = most;
            this.left = most;
        }

        @Override
        public int read() throws IOException {
            int one = super.read();
            count(one < 0 ? 0 : 1);
            return one;
        }

        @Override
        public int read(byte[] bytes, int from, int length) throws IOException {
            int got = super.read(bytes, from, length);
            count(Math.max(0, got));
            return got;
        }

        private void count(int got) throws IOException {
            left -= got;
            if (left < 0) {
                throw new TooLargeException("The page is packed and has more than " + most
                        + " bytes when unpacked; it was not read further.");
            }
        }
    }
}
