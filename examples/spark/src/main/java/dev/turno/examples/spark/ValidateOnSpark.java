package dev.turno.examples.spark;

import static org.apache.spark.sql.functions.col;
import static org.apache.spark.sql.functions.count;
import static org.apache.spark.sql.functions.explode;
import static org.apache.spark.sql.functions.sum;

import dev.turno.harvester.rules.Draft;
import dev.turno.harvester.rules.FieldXml;
import dev.turno.harvester.rules.Fields;
import dev.turno.harvester.rules.Judgement;
import dev.turno.harvester.rules.Origin;
import dev.turno.harvester.rules.Pipeline;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Iterator;
import java.util.List;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.apache.spark.api.java.function.MapPartitionsFunction;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Encoders;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.RowFactory;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.types.StructType;
import tools.jackson.databind.json.JsonMapper;

/** Judges a snapshot of the record store with the rules of its network, and counts. For {@code spark-submit}. */
public final class ValidateOnSpark {

    private static final StructType JUDGED = StructType.fromDDL("identifier string not null, valid boolean not null,"
            + " changed boolean not null, metadata string not null, rules array<struct<name string, holds boolean>>");

    private ValidateOnSpark() {}

    /** Folder of the store, file with its parts, file with the exported network, folder for what was found. */
    public static void main(String[] arguments) throws IOException {
        if (arguments.length != 4) {
            throw new IllegalArgumentException("Say: FOLDER PARTS.json NETWORK.json RESULTS");
        }
        SparkSession spark = SparkSession.builder().appName("turno-validation").getOrCreate();
        List<String> parts = parts(Files.readString(Path.of(arguments[1])));
        Dataset<Row> records = Records.live(spark, arguments[0], parts);
        judge(records, Files.readString(Path.of(arguments[2]))).write().parquet(arguments[3]);
        perRule(spark.read().parquet(arguments[3])).show(1_000, false);
        Records.perSet(records).show(1_000, false);
    }

    static List<String> parts(String answer) {
        return JsonMapper.shared()
                .readTree(answer)
                .get("items")
                .valueStream()
                .map(part -> part.get("file").asString())
                .toList();
    }

    /** Each record with whether it is valid, what the transformers made of it, and which rules it keeps. */
    public static Dataset<Row> judge(Dataset<Row> records, String export) {
        MapPartitionsFunction<Row, Row> judge = rows -> new Judge(export).all(rows);
        return records.mapPartitions(judge, Encoders.row(JUDGED));
    }

    /** How many records kept and broke each rule. */
    public static Dataset<Row> perRule(Dataset<Row> judged) {
        return judged.select(explode(col("rules")).as("rule"))
                .groupBy(col("rule.name"))
                .agg(sum(col("rule.holds").cast("long")).as("holds"), count("*").as("records"))
                .orderBy("name");
    }

    /** The rules, made ready once for many records. */
    private static final class Judge {

        private final ExportedRules rules;
        private final Pipeline pipeline;
        private final List<String> names;
        private final FieldXml xml = new FieldXml();

        Judge(String export) {
            this.rules = new ExportedRules(export);
            this.pipeline = rules.pipeline();
            this.names = pipeline.ruleNames();
        }

        Iterator<Row> all(Iterator<Row> rows) {
            Iterable<Row> all = () -> rows;
            Stream<Row> judged = StreamSupport.stream(all.spliterator(), false).map(this::one);
            return judged.iterator();
        }

        private Row one(Row record) {
            String metadata = record.getAs("metadata");
            Fields fields;
            try {
                fields = xml.read(metadata);
            } catch (IllegalArgumentException e) { // it is not what rules can look at
                return RowFactory.create(record.getAs("identifier"), false, false, metadata, new Row[0]);
            }
            Judgement judgement = pipeline.judge(new Draft(record.getAs("identifier"), origin(record), fields));
            Row[] findings = new Row[judgement.findings().size()];
            for (int i = 0; i < findings.length; i++) {
                findings[i] = RowFactory.create(
                        names.get(i), judgement.findings().get(i).holds());
            }
            return RowFactory.create(
                    record.getAs("identifier"),
                    judgement.valid(),
                    judgement.changed(),
                    judgement.changed() ? xml.write(judgement.fields()) : metadata,
                    findings);
        }

        private Origin origin(Row record) {
            return new Origin(
                    rules.text("acronym"),
                    rules.text("name"),
                    rules.text("institutionAcronym"),
                    rules.text("institutionName"),
                    rules.text("originUrl"),
                    record.getAs("prefix"),
                    record.<java.sql.Timestamp>getAs("datestamp").toInstant(),
                    record.getList(record.fieldIndex("sets")));
        }
    }
}
