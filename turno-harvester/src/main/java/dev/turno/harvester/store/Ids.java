package dev.turno.harvester.store;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.LongBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import java.util.OptionalLong;

/** The sorted keys of a part, in a small file beside it: which identifiers it has is known without opening it. */
final class Ids {

    private final LongBuffer keys;

    private Ids(LongBuffer keys) {
        this.keys = keys;
    }

    static Path of(Path part) {
        return part.resolveSibling(part.getFileName().toString().replace(".parquet", ".ids"));
    }

    static void write(Path part, long[] keys) throws IOException {
        long[] sorted = keys.clone();
        Arrays.sort(sorted);
        ByteBuffer bytes = ByteBuffer.allocate(sorted.length * Long.BYTES);
        bytes.asLongBuffer().put(sorted);
        Durable.write(of(part), file -> Files.write(file, bytes.array()));
    }

    static Ids open(Path part) throws IOException {
        try (FileChannel channel = FileChannel.open(of(part), StandardOpenOption.READ)) {
            return new Ids(channel.map(FileChannel.MapMode.READ_ONLY, 0, channel.size())
                    .asLongBuffer());
        }
    }

    long[] all() {
        long[] copy = new long[keys.capacity()];
        keys.duplicate().get(copy);
        return copy;
    }

    /** The key of this identity, which tells whether it is deleted. */
    OptionalLong find(long key) {
        long alive = Keys.identity(key) - 1;
        int low = 0;
        for (int high = keys.capacity(); low < high; ) {
            int middle = (low + high) >>> 1;
            if (keys.get(middle) < alive) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        return low < keys.capacity() && Keys.identity(keys.get(low)) == Keys.identity(key)
                ? OptionalLong.of(keys.get(low))
                : OptionalLong.empty();
    }
}
