package dev.turno.benchmarks.harvest;

import dev.turno.harvester.oai.ListRequest;
import dev.turno.harvester.oai.OaiClient;
import dev.turno.harvester.oai.OaiOptions;
import dev.turno.harvester.oai.OaiPage;
import dev.turno.harvester.oai.RecordSink;
import dev.turno.harvester.record.OaiRecord;
import dev.turno.harvester.store.ZstdCodec;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import org.apache.parquet.conf.PlainParquetConfiguration;
import org.apache.parquet.example.data.Group;
import org.apache.parquet.example.data.simple.SimpleGroupFactory;
import org.apache.parquet.hadoop.ParquetWriter;
import org.apache.parquet.hadoop.example.ExampleParquetWriter;
import org.apache.parquet.hadoop.metadata.CompressionCodecName;
import org.apache.parquet.io.LocalOutputFile;
import org.apache.parquet.io.api.Binary;
import org.apache.parquet.schema.MessageType;
import org.apache.parquet.schema.MessageTypeParser;

/**
 * Page after page into one Parquet file, with the client, codec and settings of the harvester: no spool, no checkpoint, no database, no
 * sets, nothing forced to disk.
 */
final class BareLoop implements Contestant {

    private static final MessageType SCHEMA = MessageTypeParser.parseMessageType("message record {"
            + " required binary identifier (STRING); required int64 datestamp; required binary metadata (STRING); }");

    @Override
    public String who() {
        return "bare loop, StAX to Parquet";
    }

    @Override
    public int share() {
        return 1_000;
    }

    @Override
    public Harvested harvest(String url, Path folder) throws Exception {
        long start = System.nanoTime();
        OaiClient client = new OaiClient(OaiOptions.defaults());
        long count;
        try (ParquetWriter<Group> writer = ExampleParquetWriter.builder(
                        new LocalOutputFile(folder.resolve("all.parquet")))
                .withConf(new PlainParquetConfiguration())
                .withType(SCHEMA)
                .withCodecFactory(new ZstdCodec())
                .withCompressionCodec(CompressionCodecName.ZSTD)
                .withRowGroupSize(16L << 20)
                .withPageSize(512 << 10)
                .withDictionaryEncoding(false)
                .withStatisticsEnabled("metadata", false)
                .build()) {
            Writing sink = new Writing(writer);
            ListRequest request = ListRequest.all(url, "oai_dc");
            OaiPage page = client.listRecords(request, sink, () -> false);
            while (page.token().isPresent()) {
                page = client.listRecords(request.after(page.token().get()), sink, () -> false);
            }
            count = sink.count;
        }
        return new Harvested(count, (System.nanoTime() - start) / 1e9);
    }

    private static final class Writing implements RecordSink {

        private final SimpleGroupFactory groups = new SimpleGroupFactory(SCHEMA);
        private final ParquetWriter<Group> writer;
        private long count;

        Writing(ParquetWriter<Group> writer) {
            this.writer = writer;
        }

        @Override
        public void begin() {}

        @Override
        public void record(OaiRecord deleted) {
            record(deleted, new byte[0], 0);
        }

        @Override
        public void record(OaiRecord head, byte[] xml, int size) {
            count++;
            try {
                writer.write(groups.newGroup()
                        .append("identifier", head.identifier())
                        .append("datestamp", head.datestamp().toEpochMilli())
                        .append("metadata", Binary.fromReusedByteArray(xml, 0, size)));
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }

        @Override
        public void quarantine(String identifier, String why, String raw) {
            throw new IllegalStateException(why);
        }
    }
}
