package shop;

import dev.turno.spring.InboxHandler;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;

@SpringBootApplication
public class ShopApplication {

    record Order(String product, int count) {}

    @InboxHandler("orders")
    void ship(Order order) {
        System.out.println("shipping " + order.count() + " x " + order.product());
    }

    public static void main(String[] args) {
        SpringApplication.run(ShopApplication.class, args);
    }
}
