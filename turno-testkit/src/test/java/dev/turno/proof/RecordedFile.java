package dev.turno.proof;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.util.ArrayList;
import java.util.List;
import org.h2.store.fs.FileBase;
import org.h2.store.fs.FilePath;
import org.h2.store.fs.FilePathWrapper;

/** H2's file, {@code jdbc:h2:recorded:PATH}, with a record of all that is written to it. One at a time. Threads may share it. */
public final class RecordedFile extends FilePathWrapper {

    /** Something that was done to the file. */
    interface Write {
        void repeatOn(FileChannel file) throws IOException;
    }

    private static final List<Write> WRITES = new ArrayList<>();

    static void register() {
        FilePath.register(new RecordedFile());
        synchronized (WRITES) {
            WRITES.clear();
        }
    }

    static int count() {
        synchronized (WRITES) {
            return WRITES.size();
        }
    }

    static List<Write> writes() {
        synchronized (WRITES) {
            return List.copyOf(WRITES);
        }
    }

    private static void add(Write write) {
        synchronized (WRITES) {
            WRITES.add(write);
        }
    }

    @Override
    public String getScheme() {
        return "recorded";
    }

    @Override
    public FileChannel open(String mode) throws IOException {
        FileChannel file = getBase().open(mode);
        return name.endsWith(".mv.db") ? new Recorded(file) : file;
    }

    private static final class Recorded extends FileBase {

        private final FileChannel file;

        Recorded(FileChannel file) {
            this.file = file;
        }

        /** Recorded when it stands, so that whatever is acknowledged later has it in the record before. */
        @Override
        public synchronized int write(ByteBuffer from, long place) throws IOException {
            ByteBuffer copy =
                    ByteBuffer.allocate(from.remaining()).put(from.duplicate()).flip();
            int written = file.write(from, place);
            copy.limit(written);
            add(other -> writeAll(other, copy.duplicate(), place));
            return written;
        }

        @Override
        public int write(ByteBuffer from) throws IOException {
            long place = file.position();
            int written = write(from, place);
            file.position(place + written);
            return written;
        }

        @Override
        public FileChannel truncate(long length) throws IOException {
            file.truncate(length);
            add(other -> other.truncate(length));
            return this;
        }

        private static void writeAll(FileChannel other, ByteBuffer from, long place) throws IOException {
            while (from.hasRemaining()) {
                other.write(from, place + from.position());
            }
        }

        @Override
        public synchronized int read(ByteBuffer to, long place) throws IOException {
            return file.read(to, place);
        }

        @Override
        public int read(ByteBuffer to) throws IOException {
            return file.read(to);
        }

        @Override
        public long position() throws IOException {
            return file.position();
        }

        @Override
        public FileChannel position(long place) throws IOException {
            file.position(place);
            return this;
        }

        @Override
        public long size() throws IOException {
            return file.size();
        }

        @Override
        public void force(boolean metaData) throws IOException {
            file.force(metaData);
        }

        @Override
        public FileLock tryLock(long place, long size, boolean shared) throws IOException {
            return file.tryLock(place, size, shared);
        }

        @Override
        protected void implCloseChannel() throws IOException {
            file.close();
        }
    }
}
