package dev.turno.certification.intake;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;
import static org.awaitility.Awaitility.await;

import dev.turno.Turno;
import dev.turno.TurnoOptions;
import dev.turno.certification.authority.CertificationAuthority;
import dev.turno.certification.authority.EmbeddedAuthority;
import dev.turno.certification.authority.SampleWorkers;
import dev.turno.certification.calendar.CalendarSource;
import dev.turno.certification.calendar.Calendars;
import dev.turno.certification.calendar.Day;
import dev.turno.certification.catalog.Catalogs;
import dev.turno.certification.notification.NotificationSender;
import dev.turno.certification.notification.Notifications;
import dev.turno.certification.sql.Sql;
import dev.turno.certification.wire.Answer;
import dev.turno.certification.wire.CertificationRequest;
import dev.turno.certification.wire.RequestReader;
import dev.turno.certification.wire.RequestRules;
import dev.turno.certification.wire.RequestRules.Checked;
import dev.turno.claim.Result;
import dev.turno.lock.Lease;
import dev.turno.lock.LockTerms;
import dev.turno.testkit.database.FreshDatabase;
import dev.turno.testkit.database.OnEveryDatabase;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.springframework.jdbc.core.simple.JdbcClient;

/** What may happen between the look at a lock that nobody has and the statement that passes it. */
@OnEveryDatabase
class PassingTest {

    private static final Duration SOON = Duration.ofSeconds(30);
    private static final LockTerms TERMS = LockTerms.of(t -> t.lease(Duration.ofSeconds(10))
            .waitUpTo(Duration.ofMillis(400))
            .service("CERT_AFORE")
            .user("SYSTEM")
            .cleanUp(false));

    private final FreshDatabase database;
    private final Turno turno;
    private final JdbcClient jdbc;
    private final CountedStatements counted;
    private final Sql sql;
    private final Calendars calendars;
    private final EmbeddedAuthority rules;
    private final Queue<String> told = new ConcurrentLinkedQueue<>();
    private final List<Intake> opened = new ArrayList<>();
    private final AtomicInteger decided = new AtomicInteger();

    PassingTest(FreshDatabase database) {
        this.database = database;
        turno = Turno.start(database.dataSource(), TurnoOptions.defaults().withDrain(Duration.ofSeconds(1)));
        jdbc = JdbcClient.create(database.dataSource());
        counted = new CountedStatements(database.dataSource());
        sql = new Sql(counted);
        sql.createTables();
        calendars = new Calendars(sql, Map.of("P00020", CalendarSource.CONSAR));
        calendars.put(new Day(CalendarSource.CONSAR, calendars.today(), true, "test", ""));
        rules = new EmbeddedAuthority(sql, new Catalogs(sql));
        rules.populate(30);
        takeAndGiveBack("the first lock of all"); // the floor of the fences is made with it
    }

    @AfterEach
    void close() {
        opened.forEach(Intake::close);
        turno.close();
    }

    private Intake intake(CertificationAuthority authority) {
        NotificationSender sender = (id, body) -> {
            told.add(body);
            return Result.done();
        };
        Intake intake = new Intake(
                turno,
                sql,
                calendars,
                authority,
                new Notifications(turno, Optional.of(sender)),
                new IntakeSettings(TERMS, "P00020", Duration.ofDays(7)));
        opened.add(intake);
        return intake;
    }

    /** The rules, and something that happens after they have looked and before what they propose is stored. */
    private Intake interrupted(Runnable meanwhile) {
        return intake(new CertificationAuthority.Inside() {
            @Override
            public Answer decide(CertificationRequest request, String id, LocalDate today) {
                decided.incrementAndGet();
                return rules.decide(request, id, today);
            }

            @Override
            public Optional<CertificationAuthority.Proposal> propose(
                    CertificationRequest request, String id, LocalDate today) {
                Optional<CertificationAuthority.Proposal> proposal = rules.propose(request, id, today);
                meanwhile.run();
                return proposal;
            }
        });
    }

    private void onlyWhereOneStatementIsEnough() {
        assumeThat(sql.changesTablesTogether()).isTrue();
    }

    private static CertificationRequest request(int worker, String folio) {
        Checked checked = new RequestRules((catalog, code) -> true, afore -> false)
                .check(new RequestReader.Read(SampleWorkers.request(worker, folio, "530"), List.of()));
        return ((Checked.Good) checked).request();
    }

    private static Outcome certify(Intake intake, CertificationRequest request) {
        return intake.certify(request, Optional.empty());
    }

    private static String code(Outcome outcome) {
        assertThat(outcome).isInstanceOf(Outcome.Answered.class);
        return ((Outcome.Answered) outcome).answer().diagnosis();
    }

    private int rows(String table) {
        return jdbc.sql("select count(*) from " + table).query(Integer.class).single();
    }

    private String lockOf(int worker) {
        return Identities.open(sql, "CERT_AFORE")
                .of(request(worker, "F"), Optional.empty())
                .lockName();
    }

    private void takeAndGiveBack(String lock) {
        turno.locks().tryTake(lock, TERMS).orElseThrow().close();
    }

    @Test
    void a_new_request_takes_three_statements_and_its_notification_none_of_its_own() {
        onlyWhereOneStatementIsEnough();
        Intake intake = intake(rules);
        intake.start();
        assertThat(code(certify(intake, request(1, "F-1")))).isEqualTo("400"); // calendars and catalogues are known now
        await().atMost(SOON).until(() -> told.size() == 1);

        // A worker that looks just between the commit and its answer has to read what it tells, which is right, and
        // rare.
        List<Integer> statements = IntStream.rangeClosed(2, 6)
                .map(worker -> statementsOf(intake, worker))
                .boxed()
                .toList();

        assertThat(statements).contains(3).allMatch(count -> count == 3 || count == 4);
        assertThat(rows("turno_lock")).isEqualTo(7);
        assertThat(rows("turno_inbox")).isEqualTo(6);
    }

    private int statementsOf(Intake intake, int worker) {
        int before = counted.statements();
        assertThat(code(certify(intake, request(worker, "F-" + worker)))).isEqualTo("400");
        await().atMost(SOON).until(() -> told.size() == worker);
        return counted.statements() - before;
    }

    @Test
    void a_lock_that_was_passed_is_free_and_its_fence_goes_on() {
        String lock = lockOf(1);
        Intake intake = intake(rules);

        assertThat(code(certify(intake, request(1, "F-1")))).isEqualTo("400");
        assertThat(code(certify(intake, request(1, "F-2")))).isEqualTo("914");

        List<Long> fences = jdbc.sql("select fence from turno_certification order by id")
                .query(Long.class)
                .list();
        assertThat(fences.get(1)).isGreaterThan(fences.get(0));
        await().atMost(SOON).until(() -> !turno.locks().isTaken(lock));
        try (Lease next = turno.locks().tryTake(lock, TERMS).orElseThrow()) {
            assertThat(next.fence()).isGreaterThan(fences.get(1));
        }
    }

    @Test
    void what_was_decided_while_somebody_else_had_the_lock_is_decided_again() {
        onlyWhereOneStatementIsEnough();
        String lock = lockOf(1);

        assertThat(code(certify(interrupted(() -> takeAndGiveBack(lock)), request(1, "F-1"))))
                .isEqualTo("400");

        assertThat(decided).hasValue(1);
        assertThat(rows("turno_certification_resolution")).isEqualTo(1);
        assertThat(rows("turno_inbox")).isEqualTo(1);
    }

    @Test
    void what_was_decided_while_somebody_else_had_a_known_lock_is_decided_again() {
        onlyWhereOneStatementIsEnough();
        String lock = lockOf(1);
        takeAndGiveBack(lock);

        assertThat(code(certify(interrupted(() -> takeAndGiveBack(lock)), request(1, "F-1"))))
                .isEqualTo("400");

        assertThat(decided).hasValue(1);
    }

    @Test
    void a_lock_that_came_and_went_with_the_clean_up_is_not_taken_for_one_that_nobody_had() {
        onlyWhereOneStatementIsEnough();
        String lock = lockOf(1);

        assertThat(code(certify(interrupted(() -> comesAndGoes(lock)), request(1, "F-1"))))
                .isEqualTo("400");

        assertThat(decided).hasValue(1);
    }

    private void comesAndGoes(String lock) {
        takeAndGiveBack(lock);
        jdbc.sql("update turno_lock set expires_at = expires_at - interval '2' day")
                .update();
        assertThat(turno.locks().cleanUp()).isEqualTo(2);
    }

    @Test
    void a_lock_that_the_clean_up_removed_and_nobody_had_can_be_passed() {
        onlyWhereOneStatementIsEnough();
        takeAndGiveBack(lockOf(1));

        Intake intake = interrupted(() -> {
            assertThat(jdbc.sql("update turno_lock set expires_at = expires_at - interval '2' day")
                            .update())
                    .isEqualTo(2);
            assertThat(turno.locks().cleanUp()).isEqualTo(2);
        });
        assertThat(code(certify(intake, request(1, "F-1")))).isEqualTo("400");

        assertThat(decided).hasValue(0);
        assertThat(jdbc.sql("select fence from turno_lock").query(Long.class).single())
                .isEqualTo(2);
    }

    @Test
    void a_lock_that_somebody_took_meanwhile_is_waited_for_and_nothing_is_stored() {
        onlyWhereOneStatementIsEnough();
        String lock = lockOf(1);
        List<Lease> held = new ArrayList<>();

        Intake intake =
                interrupted(() -> held.add(turno.locks().tryTake(lock, TERMS).orElseThrow()));
        assertThat(certify(intake, request(1, "F-1"))).isInstanceOf(Outcome.InFlight.class);

        assertThat(decided).hasValue(0);
        assertThat(rows("turno_certification")).isZero();
        assertThat(rows("turno_certification_resolution")).isZero();
        assertThat(rows("turno_inbox")).isZero();
        held.forEach(Lease::close);
        assertThat(code(certify(intake(rules), request(1, "F-1")))).isEqualTo("400");
    }

    @Test
    void a_known_lock_that_nobody_has_had_meanwhile_is_passed() {
        onlyWhereOneStatementIsEnough();
        takeAndGiveBack(lockOf(1));

        assertThat(code(certify(interrupted(() -> {}), request(1, "F-1")))).isEqualTo("400");

        assertThat(decided).hasValue(0);
    }

    /** Whoever takes a lock raises its fence, so no look tells the fence of one that is taken. The statement does not rely on that alone. */
    @Test
    void a_lock_in_somebodys_hands_is_not_passed_by_its_own_fence() {
        onlyWhereOneStatementIsEnough();
        CertificationRequest request = request(1, "F-1");
        Identities identities = Identities.open(sql, "CERT_AFORE");
        Identity identity = identities.of(request, Optional.empty());
        String decision = identities.decision(identity, calendars.today());
        CertificationAuthority.Proposal proposal =
                rules.propose(request, decision, calendars.today()).orElseThrow();
        Passing passing = new Passing(sql, turno.namespace(), TERMS, Optional.empty());

        try (Lease lease = turno.locks().tryTake(identity.lockName(), TERMS).orElseThrow()) {
            assertThat(passing.complete(identity, request, decision, proposal, lease.fence()))
                    .isEmpty();
        }

        assertThat(rows("turno_certification")).isZero();
    }

    @Test
    void a_lock_that_was_passed_looks_like_one_that_was_given_back_just_now() {
        onlyWhereOneStatementIsEnough();
        LockTerms others = LockTerms.of(t -> t.service("OTHER").user("SOMEBODY").cleanUp(false));
        turno.locks().tryTake(lockOf(2), others).orElseThrow().close();
        jdbc.sql("update turno_lock set taken_at = taken_at - interval '1' day").update();
        Intake intake = interrupted(() -> {});

        assertThat(code(certify(intake, request(1, "F-1")))).isEqualTo("400");
        assertThat(code(certify(intake, request(2, "F-2")))).isEqualTo("400");

        assertThat(decided).hasValue(0);
        assertThat(jdbc.sql("select count(*) from turno_lock where name in (:names) and lease_id is null"
                                + " and taken_at > current_timestamp - interval '1' hour and expires_at = taken_at"
                                + " and holder = 0 and node = '' and service = 'CERT_AFORE' and user_name = 'SYSTEM'")
                        .param("names", List.of(lockOf(1), lockOf(2)))
                        .query(Integer.class)
                        .single())
                .isEqualTo(2);
    }

    @Test
    void what_passes_is_stored_as_the_long_way_stores_it() {
        onlyWhereOneStatementIsEnough();
        Identities identities = Identities.open(sql, "CERT_AFORE");
        List<String> decisions = new ArrayList<>();

        for (int worker : List.of(1, 2)) {
            CertificationRequest request = request(worker, "F-" + worker);
            Intake intake = worker == 1 ? interrupted(() -> {}) : interrupted(() -> takeAndGiveBack(lockOf(2)));
            assertThat(code(intake.certify(request, Optional.of("key-" + worker))))
                    .isEqualTo("400");
            assertThat(decided).hasValue(worker - 1);
            decisions.add(identities.decision(identities.of(request, Optional.empty()), calendars.today()));
        }

        List<Map<String, Object>> stored = jdbc.sql(
                        "select c.state, c.open_guard, c.key_id is null as keyless, c.ended_at = c.begun_at as at_once, c.sent_at, c.benefit,"
                                + " i.state as message, i.class, i.turn_at <= current_timestamp as due, i.body = c.folio_id as body,"
                                + " r.benefit as resolved, r.resolved_on"
                                + " from turno_certification c"
                                + " join turno_inbox i on i.message_id like c.folio_id || ':%'"
                                + " join turno_certification_resolution r"
                                + " on r.folio_id = case c.folio when 'F-1' then :first else :second end")
                .param("first", decisions.get(0))
                .param("second", decisions.get(1))
                .query()
                .listOfRows();
        assertThat(stored).hasSize(2);
        assertThat(stored.get(0)).isEqualTo(stored.get(1));
    }

    @Test
    void a_namespace_beside_has_locks_and_inboxes_of_its_own() {
        onlyWhereOneStatementIsEnough();
        try (Turno beside = beside()) {
            beside.locks().tryTake(lockOf(1), TERMS).orElseThrow().close();
            beside.inbox(Notifications.INBOX).put("its own", "body");
            Intake intake = interrupted(() -> {});

            assertThat(code(certify(intake, request(1, "F-1")))).isEqualTo("400");
            assertThat(code(certify(intake, request(1, "F-2"))))
                    .isEqualTo("914"); // at the fence that the other lock has

            assertThat(decided).hasValue(0);
            assertThat(rows("turno_inbox")).isEqualTo(3);
            try (Lease next = beside.locks().tryTake(lockOf(1), TERMS).orElseThrow()) {
                assertThat(next.fence()).isEqualTo(2);
            }
        }
    }

    @Test
    void a_namespace_beside_has_a_floor_of_its_own() {
        onlyWhereOneStatementIsEnough();
        try (Turno beside = beside()) {
            beside.locks().tryTake("its first", TERMS).orElseThrow().close();

            Intake intake = interrupted(() -> comesAndGoes(lockOf(1)));
            assertThat(code(certify(intake, request(1, "F-1")))).isEqualTo("400");

            assertThat(decided).hasValue(1);
        }
    }

    private Turno beside() {
        return Turno.start(
                database.dataSource(),
                TurnoOptions.defaults().withNamespace("beside").withDrain(Duration.ofSeconds(1)));
    }

    @Test
    void a_clean_up_under_way_is_waited_for_and_the_floor_that_it_leaves_counts() {
        onlyWhereOneStatementIsEnough();

        Intake intake = interrupted(() -> untilSomebodyWaits("update turno_lock_floor set fence = fence + 1"));
        assertThat(code(certify(intake, request(1, "F-1")))).isEqualTo("400");

        assertThat(decided).hasValue(1);
    }

    @Test
    void a_new_lock_that_somebody_is_just_adding_is_waited_for() {
        onlyWhereOneStatementIsEnough();
        String adds = "insert into turno_lock"
                + " (namespace, name, fence, lease_us, taken_at, expires_at, holder, node, service, user_name)"
                + " select namespace, '" + lockOf(1) + "', 1, 0, taken_at, expires_at, holder, node, service, user_name"
                + " from turno_lock";

        assertThat(code(certify(interrupted(() -> untilSomebodyWaits(adds)), request(1, "F-1"))))
                .isEqualTo("400");

        assertThat(decided).hasValue(1);
    }

    /** Where the floor is at the fences of many, all of those would stand still with a clean-up otherwise. */
    @Test
    void a_known_lock_is_passed_beside_a_clean_up() throws Exception {
        onlyWhereOneStatementIsEnough();
        takeAndGiveBack(lockOf(1));
        jdbc.sql("update turno_lock_floor set fence = 1").update();

        try (Connection cleanUp = database.dataSource().getConnection();
                Statement statement = cleanUp.createStatement()) {
            cleanUp.setAutoCommit(false);
            statement
                    .executeQuery("select fence from turno_lock_floor for update")
                    .close();

            CompletableFuture<Outcome> outcome = CompletableFuture.supplyAsync(
                    () -> certify(interrupted(() -> {}), request(1, "F-1")), work -> new Thread(work).start());
            assertThat(outcome).succeedsWithin(Duration.ofSeconds(8));
            assertThat(code(outcome.join())).isEqualTo("400");
            cleanUp.rollback();
        }

        assertThat(decided).hasValue(0);
    }

    /** Changes something and commits when somebody else has to wait for it, or nobody did for a while. */
    private void untilSomebodyWaits(String change) {
        CompletableFuture<Void> changed = new CompletableFuture<>();
        Thread other = new Thread(() -> {
            try (Connection connection = database.dataSource().getConnection();
                    Statement statement = connection.createStatement()) {
                connection.setAutoCommit(false);
                statement.executeUpdate(change);
                changed.complete(null);
                for (int i = 0; i < 300 && !somebodyWaits(); i++) {
                    Thread.sleep(10);
                }
                connection.commit();
            } catch (SQLException | InterruptedException e) {
                changed.completeExceptionally(e);
            }
        });
        other.start();
        changed.join();
    }

    private boolean somebodyWaits() {
        return jdbc.sql(
                                "select count(*) from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'")
                        .query(Integer.class)
                        .single()
                > 0;
    }

    @Test
    void a_notification_that_is_there_already_is_in_nobodys_way() {
        onlyWhereOneStatementIsEnough();
        Identity identity = Identities.open(sql, "CERT_AFORE").of(request(1, "F-1"), Optional.empty());
        Intake intake = interrupted(() -> {});
        turno.inbox(Notifications.INBOX).put(identity.folioId() + ":" + identity.guard() + ":1", identity.folioId());

        assertThat(code(certify(intake, request(1, "F-1")))).isEqualTo("400");

        assertThat(decided).hasValue(0);
        assertThat(rows("turno_inbox")).isEqualTo(1);
    }

    @Test
    void one_who_held_the_lock_when_it_was_looked_at_is_not_passed() {
        onlyWhereOneStatementIsEnough();
        AtomicInteger proposed = new AtomicInteger();
        Intake intake = interrupted(proposed::incrementAndGet);

        try (Lease unused = turno.locks().tryTake(lockOf(1), TERMS).orElseThrow()) {
            assertThat(certify(intake, request(1, "F-1"))).isInstanceOf(Outcome.InFlight.class);
        }

        assertThat(proposed).hasValue(0);
        assertThat(rows("turno_certification")).isZero();
    }

    @Test
    void another_request_of_the_worker_that_was_quicker_is_taken_into_account() {
        onlyWhereOneStatementIsEnough();
        Intake quicker = intake(rules);

        Intake intake = interrupted(() ->
                assertThat(code(certify(quicker, request(1, "F-2")))).isEqualTo("400"));
        assertThat(code(certify(intake, request(1, "F-1")))).isEqualTo("914");

        assertThat(rows("turno_certification_resolution")).isEqualTo(1);
    }

    @Test
    void the_same_request_that_was_quicker_gives_its_answer() {
        onlyWhereOneStatementIsEnough();
        Intake quicker = intake(rules);

        Intake intake = interrupted(() ->
                assertThat(code(certify(quicker, request(1, "F-1")))).isEqualTo("400"));
        Outcome outcome = certify(intake, request(1, "F-1"));

        assertThat(outcome)
                .isInstanceOfSatisfying(
                        Outcome.Answered.class,
                        answered -> assertThat(answered.replayed()).isTrue());
        assertThat(decided).hasValue(0);
        assertThat(rows("turno_certification_resolution")).isEqualTo(1);
        assertThat(rows("turno_inbox")).isEqualTo(1);
    }

    @Test
    void the_same_folio_for_another_worker_that_was_quicker_leaves_nothing_of_the_slower_one() {
        onlyWhereOneStatementIsEnough();
        Intake quicker = intake(rules);

        Intake intake = interrupted(() ->
                assertThat(code(certify(quicker, request(2, "F-1")))).isEqualTo("400"));
        assertThat(certify(intake, request(1, "F-1"))).isInstanceOf(Outcome.OtherContent.class);

        assertThat(rows("turno_certification_resolution")).isEqualTo(1);
        assertThat(rows("turno_lock")).isEqualTo(2);
        assertThat(rows("turno_inbox")).isEqualTo(1);
    }

    @Test
    void of_many_requests_of_one_worker_at_once_one_is_granted() {
        Intake intake = intake(rules);
        List<CompletableFuture<Outcome>> all = new ArrayList<>();
        for (int i = 0; i < 20; i++) {
            String folio = "F-" + i;
            all.add(CompletableFuture.supplyAsync(
                    () -> certify(intake, request(1, folio)), work -> new Thread(work).start()));
        }

        List<Outcome> outcomes = all.stream().map(CompletableFuture::join).toList();

        assertThat(outcomes).allMatch(one -> one instanceof Outcome.Answered || one instanceof Outcome.InFlight);
        assertThat(outcomes.stream()
                        .filter(one ->
                                one instanceof Outcome.Answered && code(one).equals("400")))
                .hasSize(1);
        assertThat(rows("turno_certification_resolution")).isEqualTo(1);
    }

    @Test
    void nobody_is_told_where_nobody_wants_to_be() {
        Intake intake = new Intake(
                turno,
                sql,
                calendars,
                rules,
                new Notifications(turno, Optional.empty()),
                new IntakeSettings(TERMS, "P00020", Duration.ofDays(7)));
        opened.add(intake);

        assertThat(code(certify(intake, request(1, "F-1")))).isEqualTo("400");

        assertThat(rows("turno_inbox")).isZero();
    }
}
