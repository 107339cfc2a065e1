package dev.turno.harvester.store;

import com.github.luben.zstd.Zstd;
import com.github.luben.zstd.ZstdCompressCtx;
import dev.turno.harvester.record.OaiRecord;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** The records of one page, packed as they come, for the spool: in blocks of about a megabyte. Not for several threads. */
public final class PageBuffer implements AutoCloseable {

    private static final int BLOCK = 1 << 20;
    private static final int LEVEL = 1;
    private static final char NOT_ASCII = '\uFFFD'; // what the decoder puts in its place

    /** Lets the block be packed without a copy. */
    private static final class Block extends ByteArrayOutputStream {
        Block() {
            super(BLOCK + (64 << 10));
        }

        byte[] packed(ZstdCompressCtx context) {
            byte[] room = new byte[(int) Zstd.compressBound(count)];
            int size = context.compressByteArray(room, 0, room.length, buf, 0, count);
            return Arrays.copyOf(room, size);
        }
    }

    private final ZstdCompressCtx context = new ZstdCompressCtx().setLevel(LEVEL);
    private final Block block = new Block();
    private final DataOutputStream out = new DataOutputStream(block);
    private final ByteArrayOutputStream packed = new ByteArrayOutputStream(64 << 10);
    private final DataOutputStream blocks = new DataOutputStream(packed);
    private long records;
    private long deletions;
    private long bytes;

    /** Empty again. */
    public void clear() {
        block.reset();
        packed.reset();
        records = 0;
        deletions = 0;
        bytes = 0;
    }

    /**
     * @param record its own XML is not looked at
     * @param xml in UTF-8, from the first byte to that of {@code size}
     */
    public void add(OaiRecord record, byte[] xml, int size) {
        try {
            out.writeUTF(record.identifier());
            out.writeLong(record.datestamp().toEpochMilli());
            out.writeBoolean(record.deleted());
            out.writeInt(record.sets().size());
            for (String set : record.sets()) {
                out.writeUTF(set);
            }
            out.writeUTF(record.metadataPrefix());
            out.writeInt(size);
            out.write(xml, 0, size);
            if (block.size() >= BLOCK) {
                pack();
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e); // memory does not fail
        }
        bytes += size;
        records += record.deleted() ? 0 : 1;
        deletions += record.deleted() ? 1 : 0;
    }

    private void pack() throws IOException {
        byte[] small = block.packed(context);
        blocks.writeInt(block.size());
        blocks.writeInt(small.length);
        blocks.write(small);
        block.reset();
    }

    /** Everything that was added, for the spool. */
    public byte[] packed() {
        try {
            if (block.size() > 0) {
                pack();
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return packed.toByteArray();
    }

    public long records() {
        return records;
    }

    public long deletions() {
        return deletions;
    }

    /** The size of the XML, before it was packed. */
    public long bytes() {
        return bytes;
    }

    @Override
    public void close() {
        context.close();
    }

    /** What {@link #packed} made, in its order. */
    static List<Row> unpack(byte[] body, long snapshot) throws IOException {
        List<Row> rows = new ArrayList<>();
        ByteBuffer in = ByteBuffer.wrap(body);
        while (in.hasRemaining()) {
            int size = in.getInt();
            byte[] small = bytes(in, in.getInt());
            unpackBlock(Zstd.decompress(small, size), snapshot, rows);
        }
        return rows;
    }

    private static void unpackBlock(byte[] block, long snapshot, List<Row> rows) throws IOException {
        ByteBuffer in = ByteBuffer.wrap(block);
        while (in.hasRemaining()) {
            String identifier = text(block, in);
            long datestamp = in.getLong();
            boolean deleted = in.get() != 0;
            List<String> sets = new ArrayList<>();
            for (int left = in.getInt(); left > 0; left--) {
                sets.add(text(block, in));
            }
            String prefix = text(block, in);
            byte[] xml = bytes(in, in.getInt());
            rows.add(new Row(identifier, datestamp, deleted, sets, prefix, snapshot, xml));
        }
    }

    /** What {@code writeUTF} wrote. Nearly all of it is ASCII, which needs no decoding byte by byte. */
    private static String text(byte[] block, ByteBuffer in) throws IOException {
        int at = in.position();
        int size = Short.toUnsignedInt(in.getShort());
        String ascii = new String(block, in.position(), size, StandardCharsets.US_ASCII);
        in.position(in.position() + size);
        return ascii.indexOf(NOT_ASCII) < 0
                ? ascii
                : new DataInputStream(new ByteArrayInputStream(block, at, Short.BYTES + size)).readUTF();
    }

    private static byte[] bytes(ByteBuffer in, int size) {
        byte[] bytes = new byte[size];
        in.get(bytes);
        return bytes;
    }
}
