package dev.turno.examples.spark;

import static org.apache.spark.sql.functions.col;
import static org.apache.spark.sql.functions.desc;
import static org.apache.spark.sql.functions.explode_outer;
import static org.apache.spark.sql.functions.regexp_extract;
import static org.apache.spark.sql.functions.row_number;

import java.util.List;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.expressions.Window;
import org.apache.spark.sql.expressions.WindowSpec;

/** What a snapshot of the record store shows. */
public final class Records {

    private Records() {}

    /**
     * The newest record of each identifier, without those that are deleted.
     *
     * @param folder of the store: {@code records} in the harvester's folder
     * @param parts the files of {@code GET /snapshots/{id}/parts}; a folder may also hold files that do not count
     */
    public static Dataset<Row> live(SparkSession spark, String folder, List<String> parts) {
        String[] files = parts.stream().map(part -> folder + "/" + part).toArray(String[]::new);
        // A later harvest wins, then a later part of the same harvest, and in a part the row that comes first.
        WindowSpec newest = Window.partitionBy("identifier").orderBy(desc("snapshot"), desc("page"), col("place"));
        return spark.read()
                .parquet(files)
                .withColumn(
                        "page",
                        regexp_extract(col("_metadata.file_name"), "part-(\\d+)-", 1)
                                .cast("long"))
                .withColumn("place", col("_metadata.row_index"))
                .withColumn("age", row_number().over(newest))
                .where(col("age").equalTo(1).and(col("status").notEqual("DELETED")))
                .drop("page", "place", "age");
    }

    /** How many records each set has; those without a set are counted under null. */
    public static Dataset<Row> perSet(Dataset<Row> records) {
        return records.select(explode_outer(col("sets")).as("set"))
                .groupBy("set")
                .count()
                .orderBy("set");
    }
}
