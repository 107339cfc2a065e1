package dev.turno.harvester.store;

import java.io.BufferedInputStream;
import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.NavigableMap;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/**
 * Frames that are appended one by one and survive a crash. The fence of the writer is part of the file's name: of two frames with the same
 * number the one with the higher fence counts. Appended to by one thread.
 */
public final class Spool implements AutoCloseable {

    /** A frame on disk. Its head is in memory, its body is not. */
    @SuppressWarnings("ArrayRecordComponent") // never compared
    public record Frame(long seq, long fence, byte[] head, Path file, long bodyAt, int bodySize) {

        /** The body, read from disk. */
        public byte[] body() throws IOException {
            ByteBuffer body = ByteBuffer.allocate(bodySize);
            try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ)) {
                while (body.hasRemaining()) {
                    if (channel.read(body, bodyAt + body.position()) < 0) {
                        throw new EOFException("The spool " + file + " is shorter than it was.");
                    }
                }
            }
            return body.array();
        }
    }

    private static final int MAGIC = 0x5475726E;
    private static final int HEADER = 4 + 8 + 4 + 4 + 4;
    private static final int LONGEST = 1 << 30;

    private final Path folder;
    private final String prefix;
    private final long fence;
    private volatile @Nullable FileChannel channel;
    private @Nullable Path file;

    /** @param prefix of the names of its files; a folder may hold several spools */
    public Spool(Path folder, String prefix, long fence) throws IOException {
        this.folder = folder;
        this.prefix = prefix;
        this.fence = fence;
        Files.createDirectories(folder);
    }

    /** Appends a frame. It outlives this process from now on, and a power cut after {@link #force()}. */
    public Frame append(long seq, byte[] head, byte[] body) throws IOException {
        FileChannel out = channel == null ? begin(seq) : channel;
        Path path = Objects.requireNonNull(file);
        ByteBuffer header = ByteBuffer.allocate(HEADER + head.length);
        header.putInt(MAGIC)
                .putLong(seq)
                .putInt(head.length)
                .putInt(body.length)
                .putInt(checksum(seq, head, body));
        header.put(head).flip();
        ByteBuffer[] both = {header, ByteBuffer.wrap(body)};
        while (both[0].hasRemaining() || both[1].hasRemaining()) {
            out.write(both);
        }
        return new Frame(seq, fence, head, path, out.position() - body.length, body.length);
    }

    private FileChannel begin(long seq) throws IOException {
        Path made = folder.resolve(prefix + "-" + seq + "-" + fence + ".spool");
        FileChannel opened = FileChannel.open(made, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
        file = made;
        channel = opened;
        Durable.forceFolder(folder);
        return opened;
    }

    /** What was appended is on disk when this returns. May be called by another thread than the one that appends. */
    public void force() throws IOException {
        FileChannel mine = channel;
        try {
            if (mine != null) {
                mine.force(false);
            }
        } catch (ClosedChannelException e) {
            if (channel == mine) { // closed by an interrupt, and forced by nobody
                throw e;
            }
            // Rolled meanwhile, and forced by that.
        }
    }

    /** Frames that somebody else appended, and perhaps never forced, are on disk when this returns. */
    public static void force(Collection<Frame> frames) throws IOException {
        Set<Path> files = frames.stream().map(Frame::file).collect(Collectors.toSet());
        for (Path file : files) {
            try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
                channel.force(false);
            }
        }
    }

    /** The next frame begins a new file, so that this one can be removed when it is not needed any more. */
    public void roll() throws IOException {
        FileChannel mine = channel;
        if (mine == null) {
            return;
        }
        try (mine) {
            if (mine.isOpen()) { // an interrupt closes it
                mine.force(false);
            }
            channel = null; // not before: whoever wants to force it meanwhile would find nothing to force
        }
    }

    @Override
    public void close() throws IOException {
        roll();
    }

    private static int checksum(long seq, byte[] head, byte[] body) {
        CRC32C crc = new CRC32C();
        crc.update(ByteBuffer.allocate(8).putLong(seq).flip());
        crc.update(head);
        crc.update(body);
        return (int) crc.getValue();
    }

    /** All whole frames of a spool, by number; what a crash left unfinished at the end of a file is passed over. */
    public static NavigableMap<Long, Frame> read(Path folder, String prefix) throws IOException {
        NavigableMap<Long, Frame> frames = new TreeMap<>();
        for (Path file : files(folder, prefix)) {
            read(file, fenceOf(file), frames);
        }
        return frames;
    }

    /** The files of a spool. */
    static List<Path> files(Path folder, String prefix) throws IOException {
        if (!Files.isDirectory(folder)) {
            return List.of();
        }
        Pattern name = Pattern.compile(Pattern.quote(prefix) + "-\\d+-\\d+\\.spool");
        try (Stream<Path> all = Files.list(folder)) {
            return all.filter(
                            path -> name.matcher(path.getFileName().toString()).matches())
                    .sorted()
                    .toList();
        }
    }

    private static long fenceOf(Path file) {
        Matcher matcher =
                Pattern.compile("-(\\d+)\\.spool$").matcher(file.getFileName().toString());
        if (!matcher.find()) {
            throw new IllegalArgumentException(file + " is not a spool.");
        }
        return Long.parseLong(matcher.group(1));
    }

    private static void read(Path file, long fence, NavigableMap<Long, Frame> frames) throws IOException {
        long at = 0;
        try (DataInputStream in = new DataInputStream(new BufferedInputStream(Files.newInputStream(file), 1 << 16))) {
            while (in.readInt() == MAGIC) {
                long seq = in.readLong();
                int headSize = in.readInt();
                int bodySize = in.readInt();
                int crc = in.readInt();
                if (headSize < 0 || bodySize < 0 || headSize > LONGEST || bodySize > LONGEST) {
                    return;
                }
                byte[] head = in.readNBytes(headSize);
                byte[] body = in.readNBytes(bodySize);
                if (body.length < bodySize || checksum(seq, head, body) != crc) {
                    return;
                }
                Frame frame = new Frame(seq, fence, head, file, at + HEADER + headSize, bodySize);
                frames.merge(seq, frame, (old, mine) -> old.fence() > mine.fence() ? old : mine);
                at += HEADER + (long) headSize + bodySize;
            }
        } catch (EOFException e) {
            // The end, or the place where a crash cut it off.
        }
    }

    /** Removes the files that hold nothing behind a number. */
    public static void remove(Path folder, String prefix, long last) throws IOException {
        for (Path file : files(folder, prefix)) {
            if (lastIn(file) <= last) {
                Files.deleteIfExists(file);
            }
        }
    }

    /** As {@link #remove}, while somebody appends: the newest file stays, because more may come into it, even if it is empty yet. */
    static void removeBeside(Path folder, String prefix, long last) throws IOException {
        List<Path> files = files(folder, prefix);
        Optional<Path> newest =
                files.stream().max(Comparator.comparingLong(Spool::fenceOf).thenComparingLong(Spool::firstIn));
        for (Path file : files) {
            if (lastIn(file) <= last && !newest.equals(Optional.of(file))) {
                Files.deleteIfExists(file);
            }
        }
    }

    /** The number with which a file's name says that it begins. */
    private static long firstIn(Path file) {
        String[] parts = String.valueOf(file.getFileName()).split("-", -1);
        return Long.parseLong(parts[parts.length - 2]);
    }

    private static long lastIn(Path file) throws IOException {
        long last = -1;
        try (FileChannel in = FileChannel.open(file, StandardOpenOption.READ)) {
            ByteBuffer header = ByteBuffer.allocate(HEADER);
            for (long at = 0;
                    in.read(header.clear(), at) == HEADER && header.flip().getInt() == MAGIC; ) {
                last = header.getLong();
                at += HEADER + (long) header.getInt() + header.getInt();
            }
        }
        return last;
    }
}
