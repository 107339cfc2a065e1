package dev.turno.certification.intake;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.turno.certification.sql.Sql;
import dev.turno.certification.wire.Answer;
import dev.turno.certification.wire.CertificationRequest;
import dev.turno.claim.ClaimLostException;
import dev.turno.testkit.database.FreshDatabase;
import dev.turno.testkit.database.OnEveryDatabase;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.springframework.jdbc.core.simple.JdbcClient;

/** Every act in every state: the where clauses let through what the states say, and nothing else. */
@OnEveryDatabase
class RequestStatesTest {

    private static final String FOLIO = "a".repeat(64);
    private static final Identity IDENTITY = new Identity(FOLIO, Optional.empty(), "b".repeat(64), "c".repeat(64));
    private static final CertificationRequest REQUEST =
            new CertificationRequest("F-1", "", "", "", "", "", "06", "530", "", "", "", "", "", "");
    private static final Answer ANSWER = Answer.rejected("911", "06");
    private static final long SEEN = 1;
    private static final long NEXT = 2;

    private final JdbcClient jdbc;
    private final RequestTable table;
    private final List<Runnable> acts;

    RequestStatesTest(FreshDatabase database) {
        Sql sql = new Sql(database.dataSource());
        sql.createTables();
        jdbc = JdbcClient.create(database.dataSource());
        table = new RequestTable(sql);
        table.send(IDENTITY, REQUEST, SEEN);
        acts = List.of(
                () -> table.doubt(FOLIO, SEEN, NEXT),
                () -> table.complete(FOLIO, SEEN, NEXT, ANSWER),
                () -> table.free(FOLIO, SEEN, NEXT),
                () -> table.sendAgain(IDENTITY, NEXT),
                () -> table.completeAgain(IDENTITY, NEXT, ANSWER));
    }

    private Set<RequestState> reached(RequestState from) {
        Set<RequestState> reached = EnumSet.noneOf(RequestState.class);
        for (Runnable act : acts) {
            jdbc.sql("update turno_certification set state = :state, fence = :fence")
                    .param("state", from.name())
                    .param("fence", SEEN)
                    .update();
            try {
                act.run();
                reached.add(table.find(FOLIO).orElseThrow().state());
            } catch (ClaimLostException refused) {
                assertThat(table.find(FOLIO).orElseThrow().state()).isEqualTo(from);
            }
        }
        return reached;
    }

    @Test
    void a_request_goes_where_its_state_says_and_nowhere_else() {
        for (RequestState from : RequestState.values()) {
            assertThat(reached(from)).as(from.name()).isEqualTo(from.next());
        }
    }

    @Test
    void whoever_comes_with_an_old_fence_changes_nothing() {
        table.doubt(FOLIO, SEEN, NEXT);

        for (Runnable late : acts.subList(0, 3)) {
            assertThatThrownBy(late::run).isInstanceOf(ClaimLostException.class);
        }
        assertThat(table.find(FOLIO).orElseThrow().state()).isEqualTo(RequestState.AMBIGUOUS);
    }
}
