package dev.turno.harvester.store;

import dev.turno.harvester.record.RecordStatus;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;
import org.apache.parquet.example.data.Group;
import org.apache.parquet.filter2.compat.FilterCompat;
import org.apache.parquet.filter2.predicate.FilterApi;
import org.apache.parquet.hadoop.ParquetWriter;
import org.apache.parquet.io.api.Binary;
import org.apache.parquet.io.api.RecordConsumer;
import org.apache.parquet.schema.MessageType;
import org.apache.parquet.schema.MessageTypeParser;

/** The columns of the file beside a part that says what the rules made of it: row for row in the same order. */
final class ResultFile {

    private static final MessageType ALL = MessageTypeParser.parseMessageType("""
            message result {
              required binary identifier (STRING);
              required binary status (STRING);
              required boolean changed;
              required binary details (STRING);
              optional binary transformed (STRING);
            }""");
    private static final MessageType COUNTS = MessageTypeParser.parseMessageType("""
            message result {
              required binary status (STRING);
              required boolean changed;
            }""");

    private ResultFile() {}

    static ParquetWriter<Judged> writer(Path file) throws IOException {
        return ParquetFile.writer(file, ALL, ResultFile::write);
    }

    static ParquetFile.Reader open(Path file) throws IOException {
        return new ParquetFile.Reader(file, ALL);
    }

    /** Only what is needed to count. */
    static ParquetFile.Reader openCounts(Path file) throws IOException {
        return new ParquetFile.Reader(file, COUNTS);
    }

    static ParquetFile.Reader find(Path file, String identifier) throws IOException {
        return new ParquetFile.Reader(
                file,
                ALL,
                FilterCompat.get(FilterApi.eq(FilterApi.binaryColumn("identifier"), Binary.fromString(identifier))));
    }

    private static void write(RecordConsumer out, Judged judged) {
        RecordFile.text(out, "identifier", 0, Binary.fromString(judged.identifier()));
        RecordFile.text(out, "status", 1, Binary.fromString(judged.status().name()));
        out.startField("changed", 2);
        out.addBoolean(judged.transformed().isPresent());
        out.endField("changed", 2);
        RecordFile.text(out, "details", 3, Binary.fromString(judged.details()));
        judged.transformed().ifPresent(xml -> RecordFile.text(out, "transformed", 4, Binary.fromString(xml)));
    }

    static Judged judged(Group group) {
        return new Judged(
                group.getString("identifier", 0),
                RecordStatus.valueOf(group.getString("status", 0)),
                group.getFieldRepetitionCount("transformed") == 0
                        ? Optional.empty()
                        : Optional.of(group.getString("transformed", 0)),
                group.getString("details", 0));
    }
}
