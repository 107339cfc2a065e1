package examples.run;

import dev.turno.run.Job;
import dev.turno.run.RunRequest;
import dev.turno.run.Runs;
import dev.turno.run.Source;
import dev.turno.run.Step;
import javax.sql.DataSource;
import org.springframework.boot.CommandLineRunner;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.context.annotation.Bean;
import org.springframework.jdbc.core.simple.JdbcClient;

/** A thousand rows, page by page. Kill it in the middle: another instance goes on after the last page. */
@SpringBootApplication
public class PriceApplication {

    PriceApplication(JdbcClient jdbc) {
        jdbc.sql("create table if not exists book as select x as id, 10 as price from system_range(1, 1000)")
                .update();
    }

    @Bean
    Job<Long> raisePrices(DataSource dataSource) {
        return Job.of(
                "raise-prices",
                Source.query(
                        dataSource,
                        "select id from book where id > ? order by id limit ?",
                        "id",
                        row -> row.getLong(1)),
                Step.batch("update book set price = price + 1 where id = ?", (update, id) -> update.setLong(1, id)),
                job -> job.pageSize(100).afterRun(run -> System.out.println("all prices are raised")));
    }

    @Bean
    CommandLineRunner manager(Runs runs) {
        return arguments -> System.out.println(
                "run " + runs.submit(RunRequest.of("raise-prices").on("BOOKS")).orThrow());
    }

    public static void main(String[] arguments) {
        SpringApplication.run(PriceApplication.class, arguments);
    }
}
