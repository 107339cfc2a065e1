package dev.turno.harvester.store;

import com.github.luben.zstd.Zstd;
import com.github.luben.zstd.ZstdCompressCtx;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Optional;
import org.apache.parquet.bytes.BytesInput;
import org.apache.parquet.compression.CompressionCodecFactory;
import org.apache.parquet.hadoop.metadata.CompressionCodecName;

/** Zstandard for Parquet without Hadoop's codecs, which would build a whole Hadoop configuration. Not for several threads. */
public final class ZstdCodec implements CompressionCodecFactory {

    private static final int LEVEL = 3;

    private Optional<Packing> packing = Optional.empty();

    /** One for all: Parquet asks for each column of each row group, and each has a megabyte outside of the heap. */
    @Override
    public BytesInputCompressor getCompressor(CompressionCodecName name) {
        Packing mine = packing.orElseGet(Packing::new);
        packing = Optional.of(mine);
        return mine;
    }

    @Override
    public BytesInputDecompressor getDecompressor(CompressionCodecName name) {
        return new Unpacking();
    }

    @Override
    public void release() {
        packing.ifPresent(Packing::release);
        packing = Optional.empty();
    }

    private static byte[] bytesOf(BytesInput input) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream((int) input.size());
        input.writeAllTo(bytes);
        return bytes.toByteArray();
    }

    private static final class Packing implements BytesInputCompressor {

        private final ZstdCompressCtx context = new ZstdCompressCtx().setLevel(LEVEL);

        @Override
        public BytesInput compress(BytesInput bytes) throws IOException {
            return BytesInput.from(context.compress(bytesOf(bytes)));
        }

        @Override
        public CompressionCodecName getCodecName() {
            return CompressionCodecName.ZSTD;
        }

        @Override
        public void release() {
            context.close();
        }
    }

    private static final class Unpacking implements BytesInputDecompressor {

        @Override
        public BytesInput decompress(BytesInput bytes, int size) throws IOException {
            return BytesInput.from(Zstd.decompress(bytesOf(bytes), size));
        }

        @Override
        public void decompress(ByteBuffer input, int packed, ByteBuffer output, int size) throws IOException {
            byte[] bytes = new byte[packed];
            input.get(bytes);
            output.put(Zstd.decompress(bytes, size));
        }

        @Override
        public void release() {}
    }
}
