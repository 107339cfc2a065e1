package dev.turno.harvester.store;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.apache.parquet.example.data.Group;
import org.apache.parquet.filter2.compat.FilterCompat;
import org.apache.parquet.filter2.predicate.FilterApi;
import org.apache.parquet.hadoop.ParquetWriter;
import org.apache.parquet.io.api.Binary;
import org.apache.parquet.io.api.RecordConsumer;
import org.apache.parquet.schema.MessageType;
import org.apache.parquet.schema.MessageTypeParser;

/** The columns of a part. */
final class RecordFile {

    private static final String HEADERS = """
              required binary identifier (STRING);
              required int64 datestamp (TIMESTAMP(MILLIS,true));
              required binary status (STRING);
              required int64 snapshot;
              required binary prefix (STRING);
              required group sets (LIST) { repeated group list { required binary element (STRING); } }
            """;
    private static final MessageType ALL = MessageTypeParser.parseMessageType(
            "message record {\n" + HEADERS + "  required binary metadata (STRING);\n}");
    private static final MessageType WITHOUT_METADATA =
            MessageTypeParser.parseMessageType("message record {\n" + HEADERS + "}");

    private static final Binary DELETED = Binary.fromString("DELETED");
    private static final Binary UNTESTED = Binary.fromString("UNTESTED");

    private RecordFile() {}

    static ParquetWriter<Row> writer(Path file) throws IOException {
        return ParquetFile.writer(file, ALL, RecordFile::write);
    }

    /** @param metadata false to leave the XML out, which is most of it */
    static ParquetFile.Reader open(Path file, boolean metadata) throws IOException {
        return new ParquetFile.Reader(file, metadata ? ALL : WITHOUT_METADATA);
    }

    static ParquetFile.Reader find(Path file, String identifier) throws IOException {
        return new ParquetFile.Reader(
                file,
                ALL,
                FilterCompat.get(FilterApi.eq(FilterApi.binaryColumn("identifier"), Binary.fromString(identifier))));
    }

    private static void write(RecordConsumer out, Row row) {
        text(out, "identifier", 0, Binary.fromString(row.identifier()));
        number(out, "datestamp", 1, row.datestampMs());
        text(out, "status", 2, row.deleted() ? DELETED : UNTESTED);
        number(out, "snapshot", 3, row.snapshot());
        text(out, "prefix", 4, Binary.fromString(row.prefix()));
        sets(out, row.sets());
        text(out, "metadata", 6, Binary.fromReusedByteArray(row.xml()));
    }

    private static void sets(RecordConsumer out, List<String> sets) {
        out.startField("sets", 5);
        out.startGroup();
        if (!sets.isEmpty()) {
            out.startField("list", 0);
            for (String set : sets) {
                out.startGroup();
                text(out, "element", 0, Binary.fromString(set));
                out.endGroup();
            }
            out.endField("list", 0);
        }
        out.endGroup();
        out.endField("sets", 5);
    }

    static void text(RecordConsumer out, String field, int index, Binary value) {
        out.startField(field, index);
        out.addBinary(value);
        out.endField(field, index);
    }

    private static void number(RecordConsumer out, String field, int index, long value) {
        out.startField(field, index);
        out.addLong(value);
        out.endField(field, index);
    }

    static Row row(Group group) {
        Group sets = group.getGroup("sets", 0);
        List<String> specs = new ArrayList<>();
        for (int i = 0; i < sets.getFieldRepetitionCount(0); i++) {
            specs.add(sets.getGroup(0, i).getString(0, 0));
        }
        return new Row(
                group.getString("identifier", 0),
                group.getLong("datestamp", 0),
                group.getString("status", 0).equals("DELETED"),
                specs,
                group.getString("prefix", 0),
                group.getLong("snapshot", 0),
                group.getType().containsField("metadata")
                        ? group.getBinary("metadata", 0).getBytes()
                        : new byte[0]);
    }
}
