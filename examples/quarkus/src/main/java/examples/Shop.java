package examples;

import dev.turno.Turno;
import dev.turno.claim.Result;
import io.quarkus.runtime.StartupEvent;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.event.Observes;
import jakarta.inject.Inject;

/** Orders that are shipped once, however often they arrive. */
@ApplicationScoped
class Shop {

    @Inject
    Turno turno;

    void begin(@Observes StartupEvent started) {
        turno.handle("orders", (message, turn) -> {
            System.out.println("shipping " + message.body() + ", attempt " + turn.attempt());
            return Result.done();
        });
        order("order-1", "tea");
        order("order-1", "tea"); // it arrives again, and nothing happens
    }

    void order(String id, String product) {
        System.out.println(turno.inbox("orders").put(id, product));
    }
}
