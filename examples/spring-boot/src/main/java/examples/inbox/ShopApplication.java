package examples.inbox;

import dev.turno.claim.Turn;
import dev.turno.spring.InboxHandler;
import dev.turno.spring.TurnoTemplate;
import org.springframework.boot.CommandLineRunner;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.context.annotation.Bean;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.transaction.support.TransactionTemplate;

/** Orders that are shipped once, however often they arrive and whoever dies meanwhile. */
@SpringBootApplication
public class ShopApplication {

    public record Order(String product, int count) {}

    private final JdbcClient jdbc;

    ShopApplication(JdbcClient jdbc) {
        this.jdbc = jdbc;
        jdbc.sql("create table if not exists stock (product varchar(40) primary key, pieces int) as select 'tea', 100")
                .update(); // a second instance finds the stock as it is
    }

    /** The stock is changed in the transaction in which the message is finished: both happen, or neither. */
    @InboxHandler(value = "orders", transactional = true)
    void ship(Order order, Turn turn) {
        jdbc.sql("update stock set pieces = pieces - ? where product = ?")
                .params(order.count(), order.product())
                .update();
        System.out.println("shipping " + order.count() + " x " + order.product() + ", attempt " + turn.attempt());
    }

    /** The order arrives twice, as it does when a shop tries again. It is put in the transaction that stores it. */
    @Bean
    CommandLineRunner customer(TurnoTemplate turno, TransactionTemplate transaction) {
        return arguments -> {
            for (int i = 0; i < 2; i++) {
                transaction.executeWithoutResult(
                        status -> System.out.println(turno.put("orders", "order-1", new Order("tea", 2))));
            }
        };
    }

    public static void main(String[] arguments) {
        SpringApplication.run(ShopApplication.class, arguments);
    }
}
