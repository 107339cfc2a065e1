package dev.turno.harvester.store;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.function.BiConsumer;
import org.apache.hadoop.conf.Configuration;
import org.apache.parquet.ParquetReadOptions;
import org.apache.parquet.column.page.PageReadStore;
import org.apache.parquet.conf.ParquetConfiguration;
import org.apache.parquet.conf.PlainParquetConfiguration;
import org.apache.parquet.example.data.Group;
import org.apache.parquet.example.data.simple.convert.GroupRecordConverter;
import org.apache.parquet.filter2.compat.FilterCompat;
import org.apache.parquet.hadoop.ParquetFileReader;
import org.apache.parquet.hadoop.ParquetWriter;
import org.apache.parquet.hadoop.api.WriteSupport;
import org.apache.parquet.hadoop.metadata.CompressionCodecName;
import org.apache.parquet.io.ColumnIOFactory;
import org.apache.parquet.io.LocalInputFile;
import org.apache.parquet.io.LocalOutputFile;
import org.apache.parquet.io.MessageColumnIO;
import org.apache.parquet.io.RecordReader;
import org.apache.parquet.io.api.RecordConsumer;
import org.apache.parquet.schema.MessageType;

/** Writes and reads Parquet files of one schema. No Hadoop configuration is ever built. */
final class ParquetFile {

    private static final long ROW_GROUP = 16L << 20;
    private static final int PAGE = 512 << 10;

    private ParquetFile() {}

    /** @param write puts the fields of a row into the file */
    static <T> ParquetWriter<T> writer(Path file, MessageType schema, BiConsumer<RecordConsumer, T> write)
            throws IOException {
        return new Builder<>(file, new Support<>(schema, write))
                .withConf(new PlainParquetConfiguration())
                .withCodecFactory(new ZstdCodec())
                .withCompressionCodec(CompressionCodecName.ZSTD)
                .withRowGroupSize(ROW_GROUP)
                .withPageSize(PAGE)
                .withDictionaryEncoding("identifier", false)
                .withDictionaryEncoding("datestamp", false)
                .withDictionaryEncoding("metadata", false)
                .withDictionaryEncoding("transformed", false)
                // Nobody looks for the least XML, and all of it begins alike: comparing took an eighth of the building.
                .withStatisticsEnabled("metadata", false)
                .withStatisticsEnabled("transformed", false)
                .build();
    }

    private static final class Builder<T> extends ParquetWriter.Builder<T, Builder<T>> {

        private final WriteSupport<T> support;

        Builder(Path file, WriteSupport<T> support) {
            super(new LocalOutputFile(file));
            this.support = support;
        }

        @Override
        protected Builder<T> self() {
            return this;
        }

        @Override
        @SuppressWarnings("deprecation") // abstract still, and never called: the configuration is a plain one
        protected WriteSupport<T> getWriteSupport(Configuration unused) {
            return support;
        }

        @Override
        protected WriteSupport<T> getWriteSupport(ParquetConfiguration unused) {
            return support;
        }
    }

    private static final class Support<T> extends WriteSupport<T> {

        private final MessageType schema;
        private final BiConsumer<RecordConsumer, T> write;
        private Optional<RecordConsumer> consumer = Optional.empty();

        Support(MessageType schema, BiConsumer<RecordConsumer, T> write) {
            this.schema = schema;
            this.write = write;
        }

        @Override
        @SuppressWarnings("deprecation") // as above
        public WriteContext init(Configuration unused) {
            return new WriteContext(schema, Map.of());
        }

        @Override
        public WriteContext init(ParquetConfiguration unused) {
            return new WriteContext(schema, Map.of());
        }

        @Override
        public void prepareForWrite(RecordConsumer mine) {
            consumer = Optional.of(mine);
        }

        @Override
        public void write(T row) {
            RecordConsumer mine = consumer.orElseThrow();
            mine.startMessage();
            write.accept(mine, row);
            mine.endMessage();
        }
    }

    /** The rows of a file, one after the other, with the columns of a schema. */
    static final class Reader implements AutoCloseable {

        private final ParquetFileReader file;
        private final MessageColumnIO columns;
        private final MessageType schema;
        private final FilterCompat.Filter filter;
        private long left;
        private Optional<RecordReader<Group>> group = Optional.empty();

        Reader(Path path, MessageType schema, FilterCompat.Filter filter) throws IOException {
            this.schema = schema;
            this.filter = filter;
            this.columns = new ColumnIOFactory().getColumnIO(schema);
            this.file = ParquetFileReader.open(
                    new LocalInputFile(path),
                    new ParquetReadOptions.Builder(new PlainParquetConfiguration())
                            .withCodecFactory(new ZstdCodec())
                            .withRecordFilter(filter)
                            .build());
            file.setRequestedSchema(schema);
        }

        Reader(Path path, MessageType schema) throws IOException {
            this(path, schema, FilterCompat.NOOP);
        }

        /** Empty at the end. */
        Optional<Group> next() throws IOException {
            while (true) {
                while (left > 0 && group.isPresent()) {
                    left--;
                    Group row = group.get().read();
                    if (row != null && !group.get().shouldSkipCurrentRecord()) {
                        return Optional.of(row);
                    }
                }
                PageReadStore pages = file.readNextFilteredRowGroup();
                if (pages == null) {
                    return Optional.empty();
                }
                left = pages.getRowCount();
                group = Optional.of(columns.getRecordReader(pages, new GroupRecordConverter(schema), filter));
            }
        }

        @Override
        public void close() throws IOException {
            file.close();
        }
    }
}
