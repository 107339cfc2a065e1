package dev.turno.server.dashboard;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.Response;
import com.microsoft.playwright.options.KeyboardModifier;
import dev.turno.Turno;
import dev.turno.inbox.InboxState;
import dev.turno.run.RunState;
import dev.turno.server.RunningServer;
import dev.turno.task.NewSchedule;
import dev.turno.watch.Watcher;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import javax.sql.DataSource;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Every view and every act, in a real browser, under {@code /ops/} of a proxy. One server and one browser for all of them. */
@Timeout(600)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class DashboardTest {

    private static final boolean FULL = "full".equals(System.getProperty("turno.scale"));
    private static final boolean WITH_SHOTS = Boolean.getBoolean("turno.shots");
    private static final int MOST_BYTES = 200 * 1024;
    private static final Path SHOTS = Path.of("target", "screenshots");
    private static final String ALL =
            "{resultTypes: ['violations'], runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa']}";
    private static final String COLOURS = "{resultTypes: ['violations'], runOnly: ['color-contrast']}";

    private Chromium chromium;
    private RunningServer server;
    private SampleWork work;
    private SampleNetwork network;
    private PrefixProxy proxy;
    private final Map<String, String> signedIn = new HashMap<>(); // cookies by token

    @BeforeAll
    void start(@TempDir Path data) throws Exception {
        chromium = Chromium.startOrSkip();
        Awaitility.setDefaultTimeout(Duration.ofSeconds(60));
        server = new RunningServer(
                "--turno.harvester.folder=" + data, "--turno.dashboard.trace-url=https://traces.example/{trace}");
        work = new SampleWork(
                turno(),
                server.context().getBean(DataSource.class),
                server.context().getBeansOfType(Watcher.class).values());
        network = new SampleNetwork(server.context());
        proxy = new PrefixProxy("/ops/", server.port());
        await().atMost(Duration.ofMinutes(3)).until(() -> work.isReady() && network.isReady());
    }

    @AfterAll
    void stop() throws Exception {
        if (chromium == null) {
            return;
        }
        proxy.close();
        work.close();
        network.close();
        server.close();
        chromium.close();
    }

    private Turno turno() {
        return server.context().getBean(Turno.class);
    }

    private Visit visit(Way way) {
        return visit(way, RunningServer.ADMIN);
    }

    /** Each token signs in once. */
    private Visit visit(Way way, String token) {
        String cookies = signedIn.computeIfAbsent(token, this::cookiesOf);
        return new Visit(chromium, proxy.url(), way, Optional.of(cookies));
    }

    private String cookiesOf(String token) {
        try (Visit visit = new Visit(chromium, proxy.url(), Way.ENGLISH)) {
            return visit.signIn(token).cookies();
        }
    }

    private static String safe(String part) {
        return URLEncoder.encode(part, StandardCharsets.UTF_8).replace("+", "%20");
    }

    /** By the name of its picture. */
    private Map<String, String> places() {
        String snapshot = "networks/DEMO/snapshot/" + network.snapshot();
        return Map.ofEntries(
                Map.entry("overview", "overview"),
                Map.entry("inboxes", "inboxes"),
                Map.entry("messages", "inboxes/orders?state=DEAD&q=bad"),
                Map.entry("messages-waiting", "inboxes/waiting?state=PENDING"),
                Map.entry("message", "inboxes/flaky/cold"),
                Map.entry("bulk", "bulk/orders?act=REVIVE&state=DEAD&q=bad-many"),
                Map.entry("buffers", "buffers"),
                Map.entry("buffer", "buffers/chats"),
                Map.entry("key", "buffers/chats/" + safe("+52" + SampleWork.SCRIPT)),
                Map.entry("bursts", "buffers/broken?show=dead"),
                Map.entry("tasks", "tasks"),
                Map.entry("type", "tasks/type/bell"),
                Map.entry("task", "tasks/" + work.task(Way.ENGLISH)),
                Map.entry("schedule", "tasks/schedule/nightly-en"),
                Map.entry("runs", "runs"),
                Map.entry("run", "runs/" + work.run(Way.ENGLISH)),
                Map.entry("locks", "locks"),
                Map.entry("lock", "locks/report"),
                Map.entry("dead", "dead"),
                Map.entry("networks", "networks"),
                Map.entry("network", "networks/DEMO"),
                Map.entry("snapshot", snapshot),
                Map.entry("rule", snapshot + "/rule/" + safe(SampleNetwork.RULE)),
                Map.entry("records", snapshot + "/records"),
                Map.entry("record", "networks/DEMO/record/" + safe(network.record())),
                Map.entry("certification", "certification"),
                Map.entry("holders", "holders"),
                Map.entry("audit", "audit"),
                Map.entry("search", "search?q=good-1"));
    }

    @ParameterizedTest
    @EnumSource(Way.class)
    void every_view_shows_in_both_languages_and_colour_schemes_and_on_a_phone(Way way) {
        try (Visit visit = visit(way)) {
            Page page = visit.page();
            for (int width : widths(way)) {
                page.setViewportSize(width, 900);
                places().forEach((name, place) -> {
                    visit.open(place);
                    assertThat(page.locator(".problem")).hasCount(0);
                    assertThat(page.locator("html")).hasAttribute("lang", way.language());
                    shot(page, name, width, way);
                    await(place + " is not wider than the screen")
                            .pollInSameThread()
                            .pollDelay(Duration.ZERO)
                            .until(
                                    () -> page.evaluate("document.documentElement.scrollWidth"),
                                    Integer.valueOf(width)::equals);
                    // In the second language and scheme only the colours are new.
                    assertThat(visit.barriers(way == Way.ENGLISH ? ALL : COLOURS))
                            .as("what keeps people out of " + place)
                            .isEmpty();
                });
            }
            assertThat(page.evaluate("window.ran === undefined")).isEqualTo(true);
            // What the server says is in the page's language too.
            visit.open("inboxes/flaky/cold").see(visit.word("why.mend"));
            visit.open("holders").see(visit.word("doctor.schema", "n", "1"));
        }
    }

    /** At full scale both on a screen and on a phone; else the longer language on the smaller one. */
    private static int[] widths(Way way) {
        boolean both = FULL || WITH_SHOTS;
        return both ? new int[] {1280, 390} : new int[] {way == Way.ENGLISH ? 1280 : 390};
    }

    /** Only on wish ({@code -Dturno.shots=true}): they are for people. */
    private static void shot(Page page, String name, int width, Way way) {
        if (WITH_SHOTS) {
            page.screenshot(new Page.ScreenshotOptions()
                    .setPath(SHOTS.resolve(name + "-" + width + "-" + way.language() + ".png"))
                    .setFullPage(width == 390));
        }
    }

    @Tag("security")
    @Test
    void markup_in_ids_keys_bodies_errors_and_names_is_shown_as_text() {
        try (Visit visit = visit(Way.ENGLISH)) {
            visit.open("inboxes/orders/" + safe("bad-" + SampleWork.SCRIPT)).seeTitle("bad-" + SampleWork.SCRIPT);
            assertThat(visit.page().locator(".error-line")).containsText(SampleWork.IMAGE);
            assertThat(visit.page().locator("pre").last()).containsText(SampleWork.SCRIPT);
            assertThat(visit.page().locator("pre").last()).containsText("12345678901234567890");
            visit.open("inboxes/flaky/cold").see("The oven is cold " + SampleWork.IMAGE);
            visit.open("buffers/chats/" + safe("+52" + SampleWork.SCRIPT)).see("hola " + SampleWork.SCRIPT);
            visit.open("runs/" + work.run(Way.ENGLISH)).see("NETWORK::en" + SampleWork.SCRIPT);
            visit.open("networks/DEMO").seeTitle("Repositorio del Norte " + SampleWork.SCRIPT);

            assertThat(visit.page().evaluate("window.ran === undefined")).isEqualTo(true);
            assertThat(visit.page().locator("main script, main img")).hasCount(0);
        }
    }

    @Tag("security")
    @Test
    void a_wrong_token_is_told_so_and_a_right_one_opens_the_page_until_one_signs_out() {
        try (Visit visit = new Visit(chromium, proxy.url(), Way.ENGLISH)) {
            visit.page().navigate(proxy.url() + "turno/");
            visit.page().locator("input[name=token]").fill("nonsense");
            visit.page().locator("form .primary").click();
            visit.see(visit.word("token.wrong"));
            visit.page().locator("h1").click();
            visit.page().keyboard().press("g");
            visit.page().keyboard().press("i");
            assertThat(visit.page()).hasURL(proxy.url() + "turno/"); // keys are for those who are in
            visit.signIn(RunningServer.ADMIN);

            visit.page().getByText(visit.word("sign.out")).click();

            assertThat(visit.page().locator("input[name=token]")).isVisible();
            visit.forgetErrors();
        }
    }

    @ParameterizedTest
    @MethodSource("dev.turno.server.dashboard.Way#forActs")
    void a_dead_message_is_revived_cancelled_and_put_again_with_another_body(Way way) {
        String revived = "bad-revive-" + way.language();
        try (Visit visit = visit(way)) {
            visit.open("inboxes/orders/" + revived)
                    .seeState("DEAD")
                    .click("revive")
                    .confirm("")
                    .seeDone("revive");
            await().until(() ->
                    turno().inbox("orders").find(revived).orElseThrow().fence() == 2);
            visit.open("inboxes/orders/bad-cancel-" + way.language())
                    .seeState("DEAD")
                    .click("give.up")
                    .confirm("nobody wants it \u2013 \u3044\u3089\u306a\u3044")
                    .seeState("CANCELLED");
            visit.open("inboxes/orders/good-" + way.language()).seeState("DONE").click("edit.retry");
            Locator body = visit.page().locator("dialog textarea");
            assertThat(body).hasValue(SampleWork.BODY);
            body.fill("x".repeat(300_000));
            visit.confirm("").seeNote("max-body");
            assertThat(body).hasValue("x".repeat(300_000)); // refused, but not lost
            visit.forgetErrors();
            body.fill("{\"edited\": true}");

            visit.confirm("");

            visit.seeTitle("good-" + way.language() + "~").see("{\"edited\": true}");
            visit.open("audit").see("nobody wants it \u2013 \u3044\u3089\u306a\u3044");
            assertThat(visit.page().locator("tbody")).containsText(visit.word("edit.retry"));
        }
    }

    @Test
    void a_message_tells_of_every_attempt_that_failed_and_leads_to_its_trace() {
        try (Visit visit = visit(Way.ENGLISH)) {
            visit.open("inboxes/flaky/cold");
            Locator failures = visit.page().locator(".timeline details");
            assertThat(failures).hasCount(2);

            failures.first().locator("summary").click();

            assertThat(failures.first().locator("pre")).containsText("SampleWork");
            assertThat(visit.page().locator(".facts a[href='https://traces.example/" + SampleWork.TRACE + "']"))
                    .hasText(SampleWork.TRACE);
        }
    }

    @Test
    void a_run_that_waits_says_who_has_its_lane() {
        long behind = work.runBehind(Way.ENGLISH);
        try (Visit visit = visit(Way.ENGLISH)) {
            visit.open("runs/" + behind);
            visit.page()
                    .locator(".why a[href='#/runs/" + work.run(Way.ENGLISH) + "']")
                    .click();

            visit.seeTitle("count · " + work.run(Way.ENGLISH));
        } finally {
            turno().runs().cancel(behind);
        }
    }

    @Test
    void a_run_that_was_stopped_is_seen_in_the_lane_that_it_had() {
        long run = work.submit("count", "LANE::stopped");
        await().until(() -> state(run) == RunState.DOING);
        turno().runs().stop(run);
        await().until(() -> state(run) == RunState.STOPPED);

        try (Visit visit = visit(Way.ENGLISH).open("runs")) {
            assertThat(visit.page().locator(".lane-run.STOPPED[href='#/runs/" + run + "']"))
                    .isVisible();
        }
    }

    private RunState state(long run) {
        return turno().runs().find(run).orElseThrow().state();
    }

    @Test
    void the_parked_items_of_a_run_have_pages() {
        long run = work.submit("park", "LANE::parked");
        await().until(() -> state(run) == RunState.DONE);

        try (Visit visit = visit(Way.ENGLISH).open("runs/" + run)) {
            visit.see("item-99").follow(visit.word("next.page")).see("item-" + (SampleWork.PARKED - 1));
        }
    }

    @Test
    void the_head_of_a_list_stays_when_it_is_scrolled() {
        try (Visit visit = visit(Way.ENGLISH).open("inboxes/waiting?state=PENDING")) {
            Page page = visit.page();
            page.locator("tbody tr").last().scrollIntoViewIfNeeded();

            assertThat(page.locator("tbody tr").first()).not().isInViewport();
            assertThat(page.locator("th").last()).isInViewport();
        }
    }

    @Test
    void what_needs_attention_leads_to_where_it_is() {
        try (Visit visit = visit(Way.ENGLISH).open("overview")) {
            assertThat(visit.page().locator(".attention")).containsText("CONSAR"); // its calendar is not loaded

            visit.see(visit.word("attention.dead.inbox", "n", "1", "name", "flaky"));
            visit.page()
                    .locator(".attention a[href='#/inboxes/flaky?state=DEAD']")
                    .click();

            visit.seeTitle("flaky").see("cold");
        }
    }

    @ParameterizedTest
    @MethodSource("dev.turno.server.dashboard.Way#forActs")
    void a_message_that_waits_for_its_turn_gets_it_now(Way way) {
        String id = "later-" + way.language();
        try (Visit visit = visit(way)) {
            visit.open("inboxes/orders/" + id)
                    .seeState("PENDING")
                    .click("hasten")
                    .seeState("DONE");
        }
    }

    @ParameterizedTest
    @MethodSource("dev.turno.server.dashboard.Way#forActs")
    void all_that_match_a_filter_are_acted_on_after_a_count_and_a_question(Way way) {
        String filter = "bad-many-" + way.language();
        try (Visit visit = visit(way)) {
            visit.open("inboxes/orders?state=DEAD&q=" + filter)
                    .follow(visit.word("bulk.CANCEL.all", "n", visit.word("bulk.matching")));
            assertThat(visit.page().locator(".bulk-count")).hasText(Integer.toString(SampleWork.MANY));

            visit.click("bulk.CANCEL")
                    .confirm("they are from a test")
                    .seeTitle(visit.word("bulk.CANCEL") + " · orders");
            String run = visit.page().url().replaceFirst(".*#/runs/(\\d+).*", "$1");
            visit.open("audit").see("run " + run + ": CANCEL");
            assertThat(visit.page().locator("tbody tr").first()).containsText("127.0.0.1");
        }
        // The page is closed, and the server goes on.
        await().until(() -> turno().inbox("orders")
                .list(InboxState.DEAD, Optional.of(filter), Optional.empty(), 1)
                .items()
                .isEmpty());
    }

    @ParameterizedTest
    @MethodSource("dev.turno.server.dashboard.Way#forActs")
    void some_are_selected_with_shift_and_cancelled_together(Way way) {
        String id = "one-" + way.language();
        try (Visit visit = visit(way)) {
            visit.open("inboxes/choose?state=PENDING&q=" + id);
            Locator boxes = visit.page().locator("tbody input");
            assertThat(boxes).hasCount(3);
            boxes.first().click();
            boxes.nth(2).click(new Locator.ClickOptions().setModifiers(List.of(KeyboardModifier.SHIFT)));

            visit.button(visit.word("cancel.selected", "n", "3")).click();
            visit.confirm("too many").seeNote(visit.word("bulk.progress", "done", "3", "n", "3", "refused", "0"));

            assertThat(turno().inbox("choose").find(id + 1).orElseThrow().state())
                    .isEqualTo(InboxState.CANCELLED);
        }
    }

    @ParameterizedTest
    @MethodSource("dev.turno.server.dashboard.Way#forActs")
    void an_inbox_is_paused_and_resumed(Way way) {
        try (Visit visit = visit(way)) {
            visit.open("inboxes/waiting").click("pause").confirm("maintenance").seeState("PAUSED");
            assertThat(turno().inbox("waiting").isPaused()).isTrue();
            visit.open("overview").see(visit.word("attention.paused", "name", "waiting", "n", "60"));
            visit.open("inboxes/waiting").click("resume");
            await().until(() -> !turno().inbox("waiting").isPaused());
        }
    }

    @ParameterizedTest
    @MethodSource("dev.turno.server.dashboard.Way#forActs")
    void a_key_is_flushed_and_a_dead_burst_revived(Way way) {
        try (Visit visit = visit(way)) {
            visit.open("buffers/chats/" + safe("+5255" + way.language()))
                    .see("una mesa")
                    .click("flush")
                    .confirm("")
                    .seeNote(visit.word("flushed"));
            visit.open("buffers/broken?show=dead").click("revive").confirm("").seeDone("revive");
        }
    }

    @ParameterizedTest
    @MethodSource("dev.turno.server.dashboard.Way#forActs")
    void a_task_is_run_now_and_a_schedule_is_paused_resumed_and_run(Way way) {
        try (Visit visit = visit(way)) {
            visit.open("tasks/" + work.task(way)).click("run.now").confirm("").seeDone("run.now");
            await().until(() -> turno().tasks()
                    .find(work.task(way))
                    .orElseThrow()
                    .finishedAt()
                    .isPresent());
            visit.open("tasks/schedule/nightly-" + way.language())
                    .see(visit.word("cron.daily.at", "at", "02:30"))
                    .see("Europe/Berlin");
            visit.click("pause").confirm("").seeState("PAUSED").click("resume");
            assertThat(visit.page().locator(".head .state-PAUSED")).hasCount(0);
            visit.click("run.now").confirm("").seeDone("run.now");
        }
    }

    @ParameterizedTest
    @MethodSource("dev.turno.server.dashboard.Way#forActs")
    void a_run_is_stopped_and_resumed_and_has_its_lane(Way way) {
        try (Visit visit = visit(way)) {
            visit.open("runs/" + work.run(way))
                    .seeState("DOING")
                    .click("stop")
                    .confirm("")
                    .seeState("STOPPED");
            visit.click("resume").confirm("").seeState("DOING");
            visit.open("runs");
            visit.page()
                    .locator(".lane-run[href='#/runs/" + work.run(way) + "']")
                    .click();
            visit.seeTitle("count");
        }
    }

    @ParameterizedTest
    @MethodSource("dev.turno.server.dashboard.Way#forActs")
    void a_lock_is_released_by_force_with_a_reason(Way way) {
        try (Visit visit = visit(way)) {
            visit.open("locks/to-be-forced-" + way.language()).click("force");
            visit.page().locator("dialog button[type=submit]").click();
            assertThat(visit.page().locator("dialog")).isVisible(); // no reason, no release
            visit.confirm("its holder was switched off").seeDone("force");
            visit.see(visit.word("why.lock.free"));
            visit.open("audit").see("its holder was switched off");
            visit.forgetErrors(); // the lock was asked for once more and was gone
        }
    }

    @ParameterizedTest
    @MethodSource("dev.turno.server.dashboard.Way#forActs")
    void a_network_is_checked_and_run_and_its_diagnosis_leads_to_records(Way way) {
        try (Visit visit = visit(way)) {
            visit.open("networks/DEMO").click("networks.check").see(visit.word("networks.usable"));
            visit.page().keyboard().press("Escape");
            assertThat(visit.page().locator("dialog")).hasCount(0);
            int before = network.snapshots();
            visit.click("networks.harvest").confirm("").seeDone("networks.harvest");
            await().until(() -> network.snapshots() > before);
            visit.open("networks/DEMO/snapshot/" + network.snapshot())
                    .follow(SampleNetwork.RULE)
                    .seeTitle(SampleNetwork.RULE);
            visit.page().locator("main .why a").first().click();
            visit.seeTitle("oai:norte.example:").see("<dc:title>");
            visit.open("networks/DEMO").click("stop").confirm("").seeDone("stop");
        }
    }

    @Test
    void a_day_is_declared_in_the_calendar() {
        try (Visit visit = visit(Way.ENGLISH)) {
            visit.open("certification?source=CNBV&year=2031").click("certification.declare");
            Locator day = visit.page().locator("dialog textarea");
            day.fill(day.inputValue().replace("\"fecha\": \"\"", "\"fecha\": \"2031-03-05\""));

            visit.confirm("the gazette says so").seeDone("certification.declare");

            visit.see("2031-03-05");
        }
    }

    @Test
    void viewers_see_no_buttons_and_their_requests_are_refused() {
        try (Visit visit = visit(Way.ENGLISH, server.newToken("viewer"))) {
            for (String place : List.of(
                    "inboxes/orders/bad-" + safe(SampleWork.SCRIPT),
                    "inboxes",
                    "inboxes/waiting",
                    "bulk/waiting?act=CANCEL&state=PENDING",
                    "locks/report",
                    "runs/" + work.run(Way.ENGLISH),
                    "tasks",
                    "networks/DEMO")) {
                visit.open(place);
                assertThat(visit.page().locator("main button:not(:text-is('Copy'))"))
                        .hasCount(0);
            }
            assertThat(visit.page().locator(".nav")).not().containsText(visit.word("audit"));
            for (String act : List.of(
                    "inboxes/orders/pause",
                    "inboxes/orders/bulk",
                    "inboxes/orders/messages/good-1/hasten",
                    "locks/report/force-release",
                    "networks/DEMO/run")) {
                assertThat(visit.page()
                                .evaluate(
                                        "act => fetch('../api/v1/' + act, {method: 'POST'}).then(a => a.status)", act))
                        .as(act)
                        .isEqualTo(403);
            }
            visit.forgetErrors();
        }
    }

    @Test
    void a_schedule_in_a_zone_that_no_browser_knows_is_shown_and_the_page_goes_on() {
        Map.of("offset", "UTC+2", "nobodys", "UT")
                .forEach((name, zone) ->
                        turno().tasks().crons().define(NewSchedule.of(name, "30 2 * * *", zone, "bell", "{}")));
        try (Visit visit = visit(Way.ENGLISH)) {
            visit.open("tasks/schedule/offset").see("02:30:00 GMT+2");
            visit.open("tasks/schedule/nobodys").see("02:30:00 UT");

            visit.open("locks").seeTitle(visit.word("locks"));
        } finally {
            List.of("offset", "nobodys").forEach(turno().tasks().crons()::remove);
        }
    }

    @Test
    void what_is_named_by_dots_is_never_taken_for_what_stands_above_it() {
        turno().inbox("choose").put("..", "{}");
        try (Visit visit = visit(Way.ENGLISH)) {
            List<String> asked = new ArrayList<>();
            visit.page().onRequest(request -> asked.add(request.url()));
            visit.page().navigate(proxy.url() + "turno/#/inboxes/choose/..");

            visit.see(visit.word("problem.dots"));

            assertThat(asked).noneMatch(url -> url.endsWith("/inboxes/choose/"));
        } finally {
            turno().inbox("choose").cancel("..");
        }
    }

    @Test
    void what_comes_in_while_somebody_types_takes_no_letter_away_and_a_server_that_hangs_is_told() {
        try (Visit visit = visit(Way.ENGLISH)) {
            Page page = visit.page();
            page.clock().install();
            visit.open("inboxes/choose");
            page.clock().pauseAt(((Number) page.evaluate("Date.now()")).longValue() + 10_000);
            Locator filter = page.locator("main input[type=search]");
            filter.fill("one");
            turno().inbox("choose").put("dropped-in", "{}");
            await().pollInSameThread().until(() -> {
                page.evaluate(
                        "document.dispatchEvent(new Event('visibilitychange'))"); // it asks again, unless it is asking
                return page.getByText("dropped-in").count() > 0;
            });

            assertThat(filter).hasValue("one");
            page.clock().runFor(300);
            assertThat(page.locator("main")).not().containsText("dropped-in");

            page.route("**/api/v1/inboxes/choose*", request -> {});
            page.clock().runFor(60_000);
            visit.see(visit.word("problem.away"));
        } finally {
            turno().inbox("choose").cancel("dropped-in");
        }
    }

    @Test
    void the_sections_are_there_although_nobody_answers_with_the_figures() {
        try (Visit visit = visit(Way.ENGLISH)) {
            visit.page().route("**/api/v1/overview", request -> {});

            visit.open("locks").seeTitle(visit.word("locks"));

            assertThat(visit.page().locator(".nav")).containsText(visit.word("inboxes"));
        }
    }

    @Test
    void an_act_that_got_no_answer_may_have_been_done_and_the_page_says_so() {
        try (Visit visit = visit(Way.ENGLISH)) {
            visit.page().route("**/api/v1/inboxes/waiting/pause", request -> request.abort());

            visit.open("inboxes/waiting").click("pause").confirm("").seeNote(visit.word("problem.act"));

            visit.forgetErrors(); // the browser's own, about the request
        }
    }

    @Test
    void eight_tabs_are_live_at_once() {
        try (Visit visit = visit(Way.ENGLISH).open("overview")) {
            List<Page> tabs = new ArrayList<>(List.of(visit.page()));
            while (tabs.size() < 8) {
                Page tab = visit.newTab();
                tab.navigate(proxy.url() + "turno/#/overview");
                tabs.add(tab);
            }
            for (Page tab : tabs) {
                assertThat(tab.locator(".stream:not(.down)")).isVisible();
                assertThat(tab.locator(".figure .value").first()).isVisible();
            }
        }
    }

    @Test
    void a_browser_that_hears_no_stream_says_how_often_it_asks_instead() {
        try (Visit visit = visit(Way.ENGLISH)) {
            visit.page().addInitScript("delete window.SharedWorker");
            visit.open("inboxes/orders?state=DONE&q=good").see("good-1");

            turno().inbox("orders").put("good-question", "{}");

            assertThat(visit.page().locator(".stream")).hasText(visit.word("polled"));
            assertThat(visit.page().locator("button.stream")).hasCount(0);
            visit.see("good-question");
        }
    }

    @Test
    void what_happens_is_shown_without_asking() {
        try (Visit visit = visit(Way.ENGLISH)) {
            visit.open("inboxes/orders?state=DONE&q=good").see("good-1");

            turno().inbox("orders").put("good-news", "{}");

            visit.see("good-news");
        }
    }

    @Test
    void the_keyboard_goes_everywhere() {
        try (Visit visit = visit(Way.ENGLISH)) {
            Page page = visit.open("overview").page();
            page.keyboard().press("g");
            page.keyboard().press("i");
            visit.seeTitle(visit.word("inboxes"));
            assertThat(page.locator("tbody tr").first()).isVisible();
            page.keyboard().press("j");
            page.keyboard().press("Enter");
            assertThat(page.locator(".crumbs")).isVisible();
            page.goBack();
            visit.seeTitle(visit.word("inboxes"));
            page.keyboard().press("/");
            page.keyboard().type("good-1");
            page.keyboard().press("Enter");
            visit.seeTitle(visit.word("search.title", "q", "good-1"));
            page.locator("tbody a").click();
            assertThat(page.locator("h1")).hasText("good-1");
            page.keyboard().press("/");
            page.keyboard().press("ControlOrMeta+a");
            page.keyboard().type("oven is cold");
            page.keyboard().press("Enter");
            visit.seeTitle(visit.word("search.title", "q", "oven is cold")).follow("cold");
            assertThat(page.locator("h1")).hasText("cold");
            page.keyboard().press("?");
            assertThat(page.locator("dialog")).isVisible();
        }
    }

    @Test
    void the_page_is_light_and_its_first_content_quick() {
        try (Visit visit = new Visit(chromium, proxy.url(), Way.ENGLISH)) {
            Map<String, Response> first = new HashMap<>(); // what is asked for again and again is no part of the page
            visit.page().onResponse(response -> first.putIfAbsent(response.url(), response));
            visit.signIn(RunningServer.ADMIN).open("overview");
            assertThat(visit.page().locator("canvas").first()).isVisible();
            assertThat(visit.page().locator(".stream:not(.down)")).isVisible();
            List<Response> responses = List.copyOf(first.values()); // more may come while they are looked at
            long bytes = responses.stream().mapToLong(DashboardTest::bodySize).sum();
            Page tab = visit.newTab();
            long start = System.nanoTime();
            tab.navigate(proxy.url() + "turno/#/overview");
            assertThat(tab.locator(".figure .value").first()).isVisible();
            long millis = (System.nanoTime() - start) / 1_000_000;

            System.out.printf(
                    "the page: %,d bytes compressed in %d answers, first figures after %,d ms%n",
                    bytes, responses.size(), millis);
            assertThat(bytes).isBetween(50_000L, (long) MOST_BYTES);
            assertThat(!FULL || millis < 1_000)
                    .as("first figures within a second")
                    .isTrue();
        }
    }

    private static long bodySize(Response response) {
        return response.request().sizes().responseBodySize;
    }
}
