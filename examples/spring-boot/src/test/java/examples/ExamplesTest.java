package examples;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.turno.Turno;
import examples.buffer.ChatApplication;
import examples.inbox.ShopApplication;
import examples.lock.ReportApplication;
import examples.run.PriceApplication;
import examples.task.ReminderApplication;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.jdbc.core.simple.JdbcClient;

/** Each example is started and does what it says. */
@ExtendWith(OutputCaptureExtension.class)
class ExamplesTest {

    private static ConfigurableApplicationContext start(Class<?> application) {
        String database = "--spring.datasource.url=jdbc:h2:mem:" + application.getSimpleName() + ";DB_CLOSE_DELAY=-1";
        return SpringApplication.run(application, database, "--turno.buffers.chat.quiet=300ms");
    }

    private static void awaitLine(CapturedOutput output, String line) {
        await().atMost(Duration.ofSeconds(30)).until(() -> output.getOut().contains(line));
    }

    @Test
    void the_shop_ships_an_order_once(CapturedOutput output) {
        try (ConfigurableApplicationContext shop = start(ShopApplication.class)) {
            await().atMost(Duration.ofSeconds(30))
                    .until(() -> shop.getBean(Turno.class).inbox("orders").counts().done() == 1);

            assertThat(output.getOut()).contains("Stored[]", "Duplicate[").containsOnlyOnce("shipping 2 x tea");
            assertThat(shop.getBean(JdbcClient.class)
                            .sql("select pieces from stock")
                            .query(Integer.class)
                            .single())
                    .isEqualTo(98);
        }
    }

    @Test
    void the_report_is_written_under_growing_fences(CapturedOutput output) {
        try (ConfigurableApplicationContext report = start(ReportApplication.class)) {
            awaitLine(output, "written under fence 1");
            awaitLine(output, "written under fence 2");
        }
    }

    @Test
    void the_chat_answers_a_burst_once(CapturedOutput output) {
        try (ConfigurableApplicationContext chat = start(ChatApplication.class)) {
            awaitLine(output, "Ada says: hello / is there a table / for two?");
        }
    }

    @Test
    void the_reminder_comes_and_the_schedule_is_there(CapturedOutput output) {
        try (ConfigurableApplicationContext reminder = start(ReminderApplication.class)) {
            awaitLine(output, "reminding Ada");
            reminder.getBean(Turno.class).tasks().crons().runNow("nightly");
            awaitLine(output, "tidying up");
        }
    }

    @Test
    void the_prices_are_raised_by_one(CapturedOutput output) {
        try (ConfigurableApplicationContext prices = start(PriceApplication.class)) {
            awaitLine(output, "all prices are raised");

            assertThat(prices.getBean(JdbcClient.class)
                            .sql("select count(*) from book where price = 11")
                            .query(Integer.class)
                            .single())
                    .isEqualTo(1000);
        }
    }
}
