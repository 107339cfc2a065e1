package dev.turno.documentation;

import static org.assertj.core.api.Assertions.assertThat;

import dev.turno.claim.Result;
import dev.turno.claim.Turn;
import dev.turno.inbox.Inbox;
import dev.turno.inbox.InboxOptions;
import dev.turno.inbox.Message;
import dev.turno.testkit.chaos.Chaos;
import dev.turno.testkit.chaos.ChaosNode;
import dev.turno.testkit.chaos.Tally;
import dev.turno.testkit.database.TestDatabase;
import dev.turno.worker.FinishMode;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Duration;
import javax.sql.DataSource;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The example of the guide to chaos, which has the test below word for word. */
@Tag("alone")
class ShopTest {

    public static void main(String[] words) { // one process of the shop
        ChaosNode node = ChaosNode.start(words);
        Inbox orders = node.turno().inbox("orders", InboxOptions.of(o -> o.finish(FinishMode.IN_TRANSACTION)));
        node.turno().handle(orders, (order, turn) -> Shop.ship(node.dataSource(), order, turn));
        node.ready();
    }

    @Test
    void every_order_is_shipped_once_whatever_happens() throws Exception {
        try (Chaos chaos = Chaos.of(TestDatabase.H2, ShopTest.class).seed(7).start()) {
            chaos.execute("create table shipped (id varchar(100))");
            Inbox orders = chaos.turno().inbox("orders");
            int count = chaos.rage(Duration.ofSeconds(5), n -> orders.put("order-" + n, "{}"));
            Tally tally = chaos.tally("select id from shipped", count, n -> "order-" + n);
            assertThat(tally.isRight()).as("%s", tally).isTrue();
        }
    }

    /** The code under test. */
    static final class Shop {

        private Shop() {}

        static Result ship(DataSource source, Message order, Turn turn) throws SQLException {
            try (Connection connection = source.getConnection();
                    PreparedStatement insert = connection.prepareStatement("insert into shipped values (?)")) {
                connection.setAutoCommit(false);
                insert.setString(1, order.id());
                insert.executeUpdate();
                turn.commit(connection);
            }
            return Result.done();
        }
    }
}
