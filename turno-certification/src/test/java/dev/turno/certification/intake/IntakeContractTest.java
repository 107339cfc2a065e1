package dev.turno.certification.intake;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.turno.Turno;
import dev.turno.TurnoOptions;
import dev.turno.certification.authority.CertificationAuthority;
import dev.turno.certification.authority.CertificationAuthority.Asked;
import dev.turno.certification.authority.EmbeddedAuthority;
import dev.turno.certification.authority.SampleWorkers;
import dev.turno.certification.calendar.CalendarSource;
import dev.turno.certification.calendar.Calendars;
import dev.turno.certification.calendar.Day;
import dev.turno.certification.catalog.Catalogs;
import dev.turno.certification.catalog.Catalogs.Code;
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
import java.math.BigDecimal;
import java.time.Duration;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.springframework.jdbc.core.simple.JdbcClient;

@OnEveryDatabase
class IntakeContractTest {

    /** Longer than a busy machine stands still: a lock that lapses meanwhile would be another story. */
    private static final Duration LEASE = Duration.ofSeconds(10);

    private static final Duration SOON = Duration.ofSeconds(30);
    private static final LockTerms TERMS = LockTerms.of(t -> t.lease(LEASE)
            .waitUpTo(Duration.ofMillis(400))
            .service("CERT_AFORE")
            .user("SYSTEM")
            .cleanUp(false));

    private final Turno turno;
    private final DataSource database;
    private Sql sql;
    private final JdbcClient jdbc;
    private final Calendars calendars;
    private final Catalogs catalogs;
    private final FakeValidator validator = new FakeValidator();
    private final Queue<String> told = new ConcurrentLinkedQueue<>();
    private final List<Intake> opened = new ArrayList<>();

    IntakeContractTest(FreshDatabase database) {
        turno = Turno.start(database.dataSource(), TurnoOptions.defaults().withDrain(Duration.ofSeconds(1)));
        this.database = database.dataSource();
        jdbc = JdbcClient.create(database.dataSource());
        sql = new Sql(database.dataSource());
        sql.createTables();
        calendars = new Calendars(sql, Map.of("P00020", CalendarSource.CONSAR));
        catalogs = new Catalogs(sql);
        openToday(true);
    }

    @AfterEach
    void close() {
        opened.forEach(Intake::close);
        turno.close();
    }

    private void openToday(boolean open) {
        calendars.put(new Day(CalendarSource.CONSAR, calendars.today(), open, "test", ""));
    }

    private Intake embedded() {
        EmbeddedAuthority authority = new EmbeddedAuthority(sql, catalogs);
        authority.populate(30);
        return intake(authority);
    }

    private Intake intake(CertificationAuthority authority) {
        return intake(authority, TERMS);
    }

    private Intake intake(CertificationAuthority authority, LockTerms terms) {
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
                new IntakeSettings(terms, "P00020", Duration.ofDays(7)));
        opened.add(intake);
        return intake;
    }

    private static CertificationRequest request(int worker, String folio) {
        return request(SampleWorkers.request(worker, folio, "530"));
    }

    private static CertificationRequest request(Map<String, String> fields) {
        Checked checked = new RequestRules((catalog, code) -> true, afore -> false)
                .check(new RequestReader.Read(fields, List.of()));
        assertThat(checked).isInstanceOf(Checked.Good.class);
        return ((Checked.Good) checked).request();
    }

    private static Outcome certify(Intake intake, CertificationRequest request) {
        return intake.certify(request, Optional.empty());
    }

    private static String code(Outcome outcome) {
        assertThat(outcome).isInstanceOf(Outcome.Answered.class);
        return ((Outcome.Answered) outcome).answer().diagnosis();
    }

    private static boolean isReplayed(Outcome outcome) {
        return outcome instanceof Outcome.Answered answered && answered.replayed();
    }

    private int rows(String table) {
        return jdbc.sql("select count(*) from " + table).query(Integer.class).single();
    }

    /** As if the lease of whatever was sent had passed: it is looked after as soon as somebody does. */
    private void leaseOfTheSentPasses() {
        assertThat(jdbc.sql("update turno_inbox set turn_at = put_at where turn_at is not null")
                        .update())
                .isEqualTo(1);
    }

    private Map<RequestState, Long> states() {
        return jdbc.sql("select state from turno_certification").query(String.class).list().stream()
                .collect(Collectors.groupingBy(RequestState::valueOf, Collectors.counting()));
    }

    @Test
    void a_request_is_decided_once_told_once_and_answered_the_same_ever_after() {
        Intake intake = embedded();
        intake.start();

        Outcome first = certify(intake, request(1, "F-1"));
        openToday(false);
        Outcome second = certify(intake, request(1, "F-1"));

        assertThat(code(first)).isEqualTo("400");
        assertThat(isReplayed(first)).isFalse();
        assertThat(second).isEqualTo(new Outcome.Answered(((Outcome.Answered) first).answer(), true));
        assertThat(rows("turno_certification_resolution")).isEqualTo(1);
        await().atMost(SOON).until(() -> told.size() == 1);
        assertThat(told.peek()).contains("\"folioTramiteProcesar\":\"F-1\"", "\"claveAdminActual\":\"530\"", "\"400\"");
        assertThat(jdbc.sql("select body from turno_inbox").query(String.class).list())
                .as("what people see of the inbox")
                .allMatch(body -> body.matches("[0-9a-f]{64}"));
    }

    @Test
    void the_rules_refuse_with_their_codes_and_a_refusal_is_an_answer() {
        Intake intake = embedded();

        assertThat(code(certify(intake, request(1_000_000, "F-1")))).isEqualTo("911");
        Map<String, String> stranger = SampleWorkers.request(1, "F-2", "530");
        stranger.put("curp", SampleWorkers.request(2, "F-2", "530").get("curp"));
        assertThat(code(certify(intake, request(stranger)))).isEqualTo("912");
        assertThat(code(certify(intake, request(7, "F-3")))).isEqualTo("913");
        assertThat(code(certify(intake, request(9, "F-4")))).isEqualTo("913");
        assertThat(code(certify(intake, request(8, "F-5")))).isEqualTo("915");
        assertThat(code(certify(intake, request(2, "F-6")))).isEqualTo("400");
        assertThat(code(certify(intake, request(2, "F-7"))))
                .as("within five years")
                .isEqualTo("914");
        Map<String, String> married = SampleWorkers.request(2, "F-8", "530");
        married.put("tipoPrestacion", "07");
        assertThat(code(certify(intake, request(married)))).isEqualTo("400");
        assertThat(isReplayed(certify(intake, request(7, "F-3")))).isTrue();
    }

    @Test
    void the_amount_of_mode_a_is_capped_by_what_the_catalogue_says_today() {
        Intake intake = embedded();
        LocalDate today = calendars.today();
        catalogs.add(new Code(
                EmbeddedAuthority.CAP_OF_MODE_A, "1.00", "", today.minusYears(2), Optional.of(today.minusDays(1))));
        catalogs.add(new Code(EmbeddedAuthority.CAP_OF_MODE_A, "5000.00", "", today, Optional.empty()));

        Answer answer = ((Outcome.Answered) certify(intake, request(1, "F-1"))).answer();

        assertThat(answer.fields()).containsEntry("sbcTipoA", "5000.00").containsKey("sbcTipoB");
    }

    @Test
    void the_same_folio_or_key_with_other_content_is_refused() {
        Intake intake = embedded();
        Outcome first = intake.certify(request(1, "F-1"), Optional.of("key-1"));

        assertThat(code(first)).isEqualTo("400");
        assertThat(certify(intake, request(2, "F-1"))).isInstanceOf(Outcome.OtherContent.class);
        assertThat(intake.certify(request(1, "F-2"), Optional.of("key-1"))).isInstanceOf(Outcome.OtherContent.class);
        assertThat(isReplayed(intake.certify(request(1, "F-1"), Optional.of("key-1"))))
                .isTrue();
        assertThat(isReplayed(intake.certify(request(1, "F-1"), Optional.of("key-2"))))
                .isTrue();
        assertThat(isReplayed(certify(intake, request(1, "F-1")))).isTrue();
        assertThat(rows("turno_certification")).isEqualTo(1);
    }

    @Test
    void two_afores_may_use_the_same_folio() {
        sql.createTables(); // by another instance that starts later: changes nothing
        Intake intake = embedded();

        assertThat(code(certify(intake, request(1, "F-1")))).isEqualTo("400");
        assertThat(code(certify(intake, request(SampleWorkers.request(2, "F-1", "552")))))
                .isEqualTo("400");
    }

    @Test
    void nothing_is_begun_on_a_day_that_is_no_business_day_and_the_next_one_is_told() {
        Intake intake = embedded();
        openToday(false);

        Outcome outcome = certify(intake, request(1, "F-1"));

        assertThat(outcome)
                .isEqualTo(new Outcome.NotABusinessDay(
                        calendars.next(CalendarSource.CONSAR, calendars.today()).date()));
        assertThat(rows("turno_certification")).isZero();
        openToday(true);
        assertThat(code(certify(intake, request(1, "F-1")))).isEqualTo("400");
    }

    @Test
    void identical_requests_at_once_are_executed_once_and_the_others_get_its_answer() {
        Intake intake = embedded();
        List<CompletableFuture<Outcome>> all = new ArrayList<>();
        for (int i = 0; i < 20; i++) {
            all.add(CompletableFuture.supplyAsync(
                    () -> certify(intake, request(1, "F-1")), work -> new Thread(work).start()));
        }

        List<Outcome> outcomes = all.stream().map(CompletableFuture::join).toList();

        assertThat(outcomes.stream().filter(one -> one instanceof Outcome.Answered && !isReplayed(one)))
                .hasSize(1);
        assertThat(outcomes).allMatch(one -> one instanceof Outcome.Answered || one instanceof Outcome.InFlight);
        assertThat(rows("turno_certification_resolution")).isEqualTo(1);
    }

    @Test
    void while_one_is_under_way_the_worker_is_busy_and_other_workers_are_not() throws Exception {
        Intake intake = intake(validator);
        var asked = new CountDownLatch(1);
        var answer = new CountDownLatch(1);
        validator.beforeAnswer = () -> {
            asked.countDown();
            try {
                answer.await();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        };
        var first = CompletableFuture.supplyAsync(() -> certify(intake, request(1, "F-1")));
        asked.await();
        validator.beforeAnswer = () -> {};

        assertThat(certify(intake, request(1, "F-1"))).isInstanceOf(Outcome.InFlight.class);
        assertThat(certify(intake, request(1, "F-2"))).isInstanceOf(Outcome.InFlight.class);
        assertThat(code(certify(intake, request(2, "F-3")))).isEqualTo("700");
        Map<String, String> married = SampleWorkers.request(1, "F-4", "530");
        married.put("tipoPrestacion", "07");
        assertThat(code(certify(intake, request(married))))
                .as("another benefit of the same worker")
                .isEqualTo("700");
        assertThat(jdbc.sql("select CH_LLAVE_BLOQUEO from TB_NSAR_BLOQUEO_DISTRIBUIDO"
                                + " where CH_NOMBRE_SERVICIO = 'CERT_AFORE' and CH_USUARIO_MODIFICADOR = 'SYSTEM'")
                        .query(String.class)
                        .list())
                .singleElement()
                .asString()
                .matches("certification:[0-9a-f]{64}");
        answer.countDown();
        assertThat(code(first.get())).isEqualTo("700");
        assertThat(validator.keys).hasSize(3);
    }

    @Test
    void one_that_waited_in_vain_for_the_lock_is_answered_if_the_answer_is_there_by_now() {
        Intake intake = intake(validator, TERMS.with(t -> t.waitUpTo(Duration.ofSeconds(3))));
        CertificationRequest request = request(1, "F-1");
        Identity identity = Identities.open(sql, "CERT_AFORE").of(request, Optional.empty());
        try (Lease another = turno.locks().tryTake(identity.lockName(), TERMS).orElseThrow()) {
            var waiting = CompletableFuture.supplyAsync(() -> certify(intake, request));
            await().pollDelay(Duration.ofMillis(100)).until(() -> !waiting.isDone());
            new RequestTable(sql).completeAtOnce(identity, request, another.fence(), Answer.rejected("704", "06"));

            assertThat(code(waiting.join())).isEqualTo("704");
            assertThat(isReplayed(waiting.join())).isTrue();
        }
    }

    @Test
    void one_who_lost_the_lock_while_deciding_cannot_store_its_answer() {
        EmbeddedAuthority rules = new EmbeddedAuthority(sql, catalogs);
        rules.populate(10);
        String lock = Identities.open(sql, "CERT_AFORE")
                .of(request(1, "F-1"), Optional.empty())
                .lockName();
        Intake intake = intake((CertificationAuthority.Inside) (request, id, today) -> {
            Answer answer = rules.decide(request, id, today);
            assertThat(turno.locks().forceRelease(lock, "a test", "somebody")).isPresent();
            return answer;
        });
        intake.start();

        assertThat(certify(intake, request(1, "F-1"))).isInstanceOf(Outcome.InFlight.class);

        assertThat(rows("turno_certification")).isZero();
        assertThat(rows("turno_certification_resolution")).isZero();
        assertThat(rows("turno_inbox")).isZero();
        assertThat(code(certify(embedded(), request(3, "F-3")))).isEqualTo("400");
    }

    @Test
    void a_commit_that_was_not_confirmed_is_not_told_as_not_done() {
        AtomicInteger lost = new AtomicInteger();
        sql = new Sql(new LostCommits(database, lost));
        Intake intake = embedded();
        intake.start();
        assertThat(code(certify(intake, request(2, "F-0"))))
                .isEqualTo("400"); // the first one also writes down whose they are
        lost.set(1);

        assertThat(certify(intake, request(1, "F-1"))).isInstanceOf(Outcome.Unknown.class);

        assertThat(lost).hasValue(0);
        assertThat(isReplayed(certify(intake, request(1, "F-1")))).isTrue();
        assertThat(code(certify(intake, request(1, "F-1")))).isEqualTo("400");
        assertThat(rows("turno_certification_resolution")).isEqualTo(2);
        await().atMost(SOON).until(() -> told.size() == 2);
    }

    @Test
    void the_rules_know_their_days_years_and_weeks_to_the_day() {
        Intake intake = embedded();
        LocalDate today = calendars.today();

        worker(1, "left_on", today.minusDays(45));
        assertThat(code(certify(intake, request(1, "D-45")))).isEqualTo("913");
        worker(1, "left_on", today.minusDays(46));
        assertThat(code(certify(intake, request(1, "D-46")))).isEqualTo("400");

        resolved(today.minusYears(5).plusDays(1));
        assertThat(code(certify(intake, request(1, "Y-4")))).isEqualTo("914");
        resolved(today.minusYears(5));
        assertThat(code(certify(intake, request(1, "Y-5")))).isEqualTo("400");

        worker(2, "opened_on", today.minusYears(5).plusDays(1));
        worker(2, "weeks", 103);
        assertThat(code(certify(intake, request(2, "W-103")))).isEqualTo("915");
        worker(2, "weeks", 104);
        assertThat(modes(certify(intake, request(2, "W-104")))).isEqualTo("A");
        worker(3, "opened_on", today.minusYears(5));
        worker(3, "weeks", 103);
        assertThat(modes(certify(intake, request(3, "O-5")))).isEqualTo("B");
        worker(4, "opened_on", today.minusYears(3).plusDays(1));
        assertThat(code(certify(intake, request(4, "O-2")))).isEqualTo("915");
        worker(4, "opened_on", today.minusYears(3));
        assertThat(modes(certify(intake, request(4, "O-3")))).isEqualTo("A");
    }

    @Test
    void mode_b_is_the_lesser_of_ninety_days_and_a_share_of_the_balance() {
        Intake intake = embedded();
        for (int number : List.of(1, 2)) {
            worker(number, "last_wage", new BigDecimal("100.00"));
            worker(number, "mean_wage", new BigDecimal("90.00"));
        }
        worker(1, "balance", new BigDecimal("1000000.00"));
        worker(2, "balance", new BigDecimal("10000.00"));

        assertThat(((Outcome.Answered) certify(intake, request(1, "B-1")))
                        .answer()
                        .fields())
                .containsEntry("sbcTipoA", "3000.00")
                .containsEntry("sbcTipoB", "8100.00");
        assertThat(((Outcome.Answered) certify(intake, request(2, "B-2")))
                        .answer()
                        .fields())
                .containsEntry("sbcTipoB", "1150.00");
    }

    private static String modes(Outcome outcome) {
        Map<String, String> fields = ((Outcome.Answered) outcome).answer().fields();
        return (fields.containsKey("sbcTipoA") ? "A" : "") + (fields.containsKey("sbcTipoB") ? "B" : "");
    }

    private void worker(int number, String column, Object value) {
        int changed = jdbc.sql("update turno_certification_worker set " + column + " = :value where nss = :nss")
                .param("value", value)
                .param("nss", SampleWorkers.request(number, "", "530").getOrDefault("nss", ""))
                .update();
        assertThat(changed).isEqualTo(1);
    }

    /** As if all that was resolved had been resolved on that day. */
    private void resolved(LocalDate day) {
        assertThat(jdbc.sql("update turno_certification_resolution set resolved_on = :day")
                        .param("day", day)
                        .update())
                .isPositive();
    }

    @Test
    void what_was_not_done_for_certain_may_be_run_again_under_the_same_key() {
        Intake intake = intake(validator);
        validator.next = new Asked.NotDone("refused");

        assertThat(certify(intake, request(1, "F-1"))).isInstanceOf(Outcome.Unavailable.class);
        assertThat(states()).containsOnlyKeys(RequestState.RETRYABLE);
        validator.next = new Asked.Answered(Answer.rejected("701", "06"));
        assertThat(code(certify(intake, request(1, "F-1")))).isEqualTo("701");
        assertThat(validator.keys).hasSize(2);
        assertThat(validator.keys.stream().distinct()).hasSize(1);
    }

    @Test
    void what_nobody_knows_the_end_of_keeps_the_workers_turn_until_the_authority_tells() {
        Intake intake = intake(validator);
        validator.next = new Asked.Unknown("no answer");

        Outcome outcome = certify(intake, request(1, "F-1"));
        assertThat(outcome).isInstanceOf(Outcome.Unknown.class);
        assertThat(certify(intake, request(1, "F-1"))).isEqualTo(outcome);
        assertThat(certify(intake, request(1, "F-2"))).isInstanceOf(Outcome.InFlight.class);
        assertThat(validator.keys).hasSize(1);
        assertThat(told).isEmpty();

        validator.remembered.put("F-1", new Asked.Answered(Answer.rejected("702", "06")));
        leaseOfTheSentPasses();
        intake.start();
        await().atMost(SOON).until(() -> isReplayed(certify(intake, request(1, "F-1"))));
        assertThat(code(certify(intake, request(1, "F-1")))).isEqualTo("702");
        assertThat(validator.keys).hasSize(1);
        await().atMost(SOON).until(() -> told.size() == 1);
    }

    @Test
    void what_the_authority_remembers_of_another_with_the_same_folio_is_not_the_answer() {
        Intake intake = intake(validator);
        validator.next = new Asked.Unknown("no answer");
        assertThat(certify(intake, request(1, "F-1"))).isInstanceOf(Outcome.Unknown.class);
        Map<String, String> another = SampleWorkers.request(2, "F-1", "552");
        another.putAll(Answer.rejected("702", "06").fields());
        validator.remembered.put("F-1", new Asked.Answered(new Answer(another)));

        leaseOfTheSentPasses();
        intake.start();
        await().atMost(SOON).until(() -> !validator.recalled.isEmpty());
        Map<String, String> own = SampleWorkers.request(1, "F-1", "530");
        own.putAll(Answer.rejected("705", "06").fields());
        validator.remembered.put("F-1", new Asked.Answered(new Answer(own)));

        await().atMost(SOON).until(() -> isReplayed(certify(intake, request(1, "F-1"))));
        assertThat(code(certify(intake, request(1, "F-1")))).isEqualTo("705");
        assertThat(validator.recalled).allMatch(validator.keys::contains);
    }

    @Test
    void a_folio_that_comes_back_after_its_answer_has_gone_is_told_of_again() {
        Intake intake = embedded();
        intake.start();
        assertThat(code(certify(intake, request(1, "F-1")))).isEqualTo("400");
        await().atMost(SOON).until(() -> told.size() == 1);

        assertThat(new RequestTable(sql).prune(Duration.ZERO)).isFalse();
        assertThat(code(certify(intake, request(1, "F-1")))).isEqualTo("914");

        await().atMost(SOON).until(() -> told.size() == 2);
    }

    @Test
    void a_folio_that_comes_back_for_another_worker_after_its_answer_has_gone_is_a_decision_of_its_own() {
        Intake intake = embedded();
        intake.start();
        Outcome first = certify(intake, request(1, "F-1"));
        await().atMost(SOON).until(() -> told.size() == 1);

        assertThat(new RequestTable(sql).prune(Duration.ZERO)).isFalse();
        Outcome second = certify(intake, request(2, "F-1"));

        assertThat(code(first)).isEqualTo("400");
        assertThat(code(second)).isEqualTo("400");
        assertThat(rows("turno_certification_resolution")).isEqualTo(2);
        assertThat(resolution(second)).isNotEqualTo(resolution(first));
        await().atMost(SOON).until(() -> told.size() == 2);
    }

    private static String resolution(Outcome outcome) {
        String number = ((Outcome.Answered) outcome).answer().field("numeroResolucion");
        assertThat(number).isNotEmpty();
        return number;
    }

    @Test
    void an_instance_that_would_not_see_the_locks_of_the_others_is_refused() {
        assertThat(code(certify(embedded(), request(1, "F-1")))).isEqualTo("400");
        Intake another = intake(validator, TERMS.with(t -> t.service("ANOTHER")));

        assertThatThrownBy(() -> certify(another, request(2, "F-2")))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContainingAll("default/CERT_AFORE", "default/ANOTHER", "Nothing was certified");
        try (Turno elsewhere = Turno.start(database, TurnoOptions.defaults().withNamespace("elsewhere"))) {
            Intake third = new Intake(
                    elsewhere,
                    sql,
                    calendars,
                    validator,
                    new Notifications(elsewhere, Optional.empty()),
                    new IntakeSettings(TERMS, "P00020", Duration.ofDays(7)));
            assertThatThrownBy(() -> certify(third, request(2, "F-2")))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContainingAll("default/CERT_AFORE", "elsewhere/CERT_AFORE");
        }
        assertThat(code(certify(embedded(), request(1, "F-1")))).isEqualTo("400");
    }

    @Test
    void a_new_request_gives_way_to_one_of_the_worker_whose_end_nobody_knows() {
        validator.next = new Asked.Unknown("no answer");
        assertThat(certify(intake(validator), request(1, "F-1"))).isInstanceOf(Outcome.Unknown.class);

        assertThat(certify(embedded(), request(1, "F-2"))).isInstanceOf(Outcome.InFlight.class);

        assertThat(rows("turno_certification_resolution")).isZero();
        assertThat(rows("turno_certification")).isEqualTo(1);
    }

    @Test
    void what_never_reached_the_authority_is_freed_by_it() {
        Intake intake = intake(validator);
        validator.next = new Asked.Unknown("no answer");
        assertThat(certify(intake, request(1, "F-1"))).isInstanceOf(Outcome.Unknown.class);

        leaseOfTheSentPasses();
        intake.start();

        await().atMost(SOON).until(() -> states().containsKey(RequestState.RETRYABLE));
        validator.next = new Asked.Answered(Answer.rejected("703", "06"));
        assertThat(code(certify(intake, request(1, "F-1")))).isEqualTo("703");
    }

    @Test
    void whoever_takes_over_from_a_dead_one_that_had_sent_doubts_and_does_not_send_again() {
        Intake intake = intake(validator);
        Identity identity = Identities.open(sql, "CERT_AFORE").of(request(1, "F-1"), Optional.empty());
        Lease dead = turno.locks()
                .tryTake(identity.lockName(), TERMS.with(t -> t.renewing(false)))
                .orElseThrow();
        new RequestTable(sql).send(identity, request(1, "F-1"), dead.fence());

        assertThat(certify(intake, request(1, "F-1"))).isInstanceOf(Outcome.InFlight.class);
        int lapsed = jdbc.sql("update turno_lock set expires_at = taken_at where name = :name")
                .param("name", identity.lockName())
                .update();
        assertThat(lapsed).isEqualTo(1);
        assertThat(certify(intake, request(1, "F-1"))).isInstanceOf(Outcome.Unknown.class);

        assertThat(states()).containsOnlyKeys(RequestState.AMBIGUOUS);
        assertThat(validator.keys).isEmpty();
    }

    @Test
    void an_expired_lock_never_blocks() {
        Intake intake = embedded();
        Identity identity = Identities.open(sql, "CERT_AFORE").of(request(1, "F-1"), Optional.empty());
        Duration lease = Duration.ofMillis(200);
        Lease left = turno.locks()
                .tryTake(identity.lockName(), TERMS.with(t -> t.lease(lease).renewing(false)))
                .orElseThrow();
        await().atMost(SOON).until(left::isLost);
        await().pollDelay(Duration.ofMillis(100)).until(() -> true);

        assertThat(code(certify(intake, request(1, "F-1")))).isEqualTo("400");
    }

    @Test
    void one_who_lost_the_lock_while_asking_cannot_store_its_answer() {
        Intake intake = intake(validator);
        Identity identity = Identities.open(sql, "CERT_AFORE").of(request(1, "F-1"), Optional.empty());
        validator.beforeAnswer = () -> turno.locks().forceRelease(identity.lockName(), "a test", "somebody");

        Outcome outcome = certify(intake, request(1, "F-1"));

        assertThat(outcome).isInstanceOf(Outcome.Unknown.class);
        assertThat(states()).containsOnlyKeys(RequestState.IN_PROGRESS);
        validator.beforeAnswer = () -> {};
        assertThat(certify(intake, request(1, "F-1"))).isInstanceOf(Outcome.Unknown.class);
        assertThat(states()).containsOnlyKeys(RequestState.AMBIGUOUS);
        assertThat(validator.keys).hasSize(1);
    }

    @Test
    void a_receiver_that_fails_never_spoils_an_answer() {
        AtomicInteger tries = new AtomicInteger();
        NotificationSender failing = (id, body) -> {
            if (tries.incrementAndGet() == 1) {
                throw new IllegalStateException("the receiver is away");
            }
            told.add(id);
            return Result.done();
        };
        EmbeddedAuthority authority = new EmbeddedAuthority(sql, catalogs);
        authority.populate(10);
        Intake intake = new Intake(
                turno,
                sql,
                calendars,
                authority,
                new Notifications(turno, Optional.of(failing)),
                new IntakeSettings(TERMS, "P00020", Duration.ofDays(7)));
        opened.add(intake);
        intake.start();

        assertThat(code(certify(intake, request(1, "F-1")))).isEqualTo("400");

        await().atMost(SOON).until(() -> told.size() == 1);
    }

    @Test
    void answers_go_after_the_days_they_are_kept_and_open_requests_stay() {
        Intake intake = intake(validator);
        assertThat(code(certify(intake, request(1, "F-1")))).isEqualTo("700");
        validator.next = new Asked.Unknown("no answer");
        assertThat(certify(intake, request(2, "F-2"))).isInstanceOf(Outcome.Unknown.class);
        RequestTable table = new RequestTable(sql);

        assertThat(table.prune(Duration.ofDays(7))).isFalse();
        assertThat(rows("turno_certification")).isEqualTo(2);
        assertThat(table.prune(Duration.ofDays(0))).isFalse();
        assertThat(states()).containsOnlyKeys(RequestState.AMBIGUOUS);
    }

    @Test
    void answers_are_kept_to_the_hour() {
        assertThat(code(certify(intake(validator), request(1, "F-1")))).isEqualTo("700");
        RequestTable table = new RequestTable(sql);
        assertThat(jdbc.sql("update turno_certification set ended_at = ended_at - interval '30' hour")
                        .update())
                .isEqualTo(1);

        assertThat(table.prune(Duration.ofHours(36))).isFalse();
        assertThat(rows("turno_certification")).isEqualTo(1);
        assertThat(table.prune(Duration.ofHours(29))).isFalse();
        assertThat(rows("turno_certification")).isZero();
    }

    @Test
    void a_loaded_day_wins_over_the_rules_and_a_year_without_any_is_told() {
        LocalDate saturday = LocalDate.of(2027, 6, 5);
        assertThat(calendars.day(CalendarSource.CNBV, saturday).open()).isFalse();
        assertThat(calendars.yearWithoutDays(CalendarSource.CNBV)).isPresent();

        calendars.load(CalendarSource.CNBV, 2027, List.of(new Day(CalendarSource.CNBV, saturday, true, "work", "DOF")));

        assertThat(calendars.day(CalendarSource.CNBV, saturday).open()).isTrue();
        assertThat(calendars.next(CalendarSource.CNBV, LocalDate.of(2027, 6, 4)).date())
                .isEqualTo(saturday);
        int coming = calendars.today().plusMonths(3).getYear();
        LocalDate first = LocalDate.of(coming, 1, 1);
        calendars.load(CalendarSource.CNBV, coming, List.of(new Day(CalendarSource.CNBV, first, false, "rest", "")));
        assertThat(calendars.yearWithoutDays(CalendarSource.CNBV)).isEmpty();
        assertThat(calendars.loaded(CalendarSource.CNBV, coming)).hasSize(1);
    }
}
