package dev.turno.server.dashboard;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.deque.html.axecore.playwright.AxeBuilder;
import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.Response;
import com.microsoft.playwright.options.AriaRole;
import com.microsoft.playwright.options.ColorScheme;
import dev.turno.Turno;
import dev.turno.inbox.InboxState;
import dev.turno.server.RunningServer;
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
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;

/** Every view and every act, in a real browser, under {@code /ops/} of a proxy. */
@Timeout(300)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class DashboardTest {

    private static final int MOST_BYTES = 200 * 1024;
    private static final Path SHOTS = Path.of("target", "screenshots");

    private Chromium chromium;
    private RunningServer server;
    private SampleWork work;
    private PrefixProxy proxy;
    private final Map<String, String> signedIn = new HashMap<>(); // cookies by token

    @BeforeAll
    void start() throws Exception {
        Awaitility.setDefaultTimeout(Duration.ofSeconds(30));
        chromium = Chromium.startOrSkip();
        server = new RunningServer();
        work = new SampleWork(
                turno(),
                server.context().getBean(DataSource.class),
                server.context().getBeansOfType(Watcher.class).values());
        proxy = new PrefixProxy("/ops/", server.port());
        await().atMost(Duration.ofSeconds(60)).until(work::isReady);
    }

    @AfterAll
    void stop() throws Exception {
        if (chromium == null) {
            return;
        }
        proxy.close();
        work.close();
        server.close();
        chromium.close();
    }

    private Turno turno() {
        return server.context().getBean(Turno.class);
    }

    private Visit visit() {
        return visit("en-GB", ColorScheme.LIGHT, RunningServer.ADMIN);
    }

    /** Each token signs in once. */
    private Visit visit(String language, ColorScheme scheme, String token) {
        String cookies = signedIn.computeIfAbsent(token, this::cookiesOf);
        return new Visit(chromium, proxy.url(), language, scheme, Optional.of(cookies));
    }

    private String cookiesOf(String token) {
        try (Visit visit = new Visit(chromium, proxy.url(), "en-GB", ColorScheme.LIGHT)) {
            return visit.signIn(token).cookies();
        }
    }

    private static String safe(String part) {
        return URLEncoder.encode(part, StandardCharsets.UTF_8).replace("+", "%20");
    }

    private List<String> places() {
        String evil = safe("bad-" + SampleWork.SCRIPT);
        return List.of(
                "overview",
                "inboxes",
                "inboxes/orders?state=DEAD",
                "inboxes/waiting?state=PENDING",
                "inboxes/orders/" + evil,
                "buffers",
                "buffers/chats",
                "buffers/chats/" + safe("+52" + SampleWork.SCRIPT),
                "buffers/broken?show=dead",
                "tasks",
                "tasks/type/bell",
                "tasks/" + work.task(),
                "tasks/schedule/nightly",
                "runs",
                "runs/" + work.run(),
                "locks",
                "locks/report",
                "dead",
                "certification",
                "holders",
                "audit",
                "search?q=good-1");
    }

    private static String fileName(String place) {
        return place.replaceAll("[?/].*", "")
                + (place.contains("/") ? "-one" : "")
                + (place.contains("?") ? "-list" : "");
    }

    @Test
    void every_view_shows_in_both_languages_and_colour_schemes_and_on_a_phone() {
        for (ColorScheme scheme : List.of(ColorScheme.LIGHT, ColorScheme.DARK)) {
            boolean dark = scheme == ColorScheme.DARK;
            try (Visit visit = visit(dark ? "es-MX" : "en-GB", scheme, RunningServer.ADMIN)) {
                Page page = visit.page();
                for (String place : places()) {
                    page.setViewportSize(1280, 900);
                    visit.open(place);
                    assertThat(page.locator(".problem").count()).as(place).isZero();
                    assertThat(page.locator("html").getAttribute("lang")).isEqualTo(dark ? "es" : "en");
                    shot(page, place, "1280", dark);
                    requireAccessible(page, place, dark);
                    page.setViewportSize(390, 844);
                    shot(page, place, "390", dark);
                    await(place + " is not wider than a phone")
                            .pollInSameThread()
                            .until(() -> page.evaluate("document.documentElement.scrollWidth"), width -> width.equals(390));
                }
                assertThat(page.evaluate("window.ran === undefined")).isEqualTo(true);
            }
        }
    }

    /** Only on wish ({@code -Dturno.shots=true}): they are for people. */
    private static void shot(Page page, String place, String width, boolean dark) {
        if (!Boolean.getBoolean("turno.shots")) {
            return;
        }
        page.screenshot(new Page.ScreenshotOptions()
                .setPath(SHOTS.resolve(fileName(place) + "-" + width + (dark ? "-dark.png" : ".png"))));
    }

    /** In the second language and scheme only the colours are new. */
    private static void requireAccessible(Page page, String place, boolean again) {
        AxeBuilder axe = new AxeBuilder(page).setLegacyMode(true);
        List<String> serious = (again ? axe.withRules(List.of("color-contrast")) : axe)
                .analyze().getViolations().stream()
                        .filter(rule -> List.of("serious", "critical").contains(rule.getImpact()))
                        .map(rule ->
                                rule.getId() + ": " + rule.getNodes().get(0).getHtml())
                        .toList();
        assertThat(serious).as("what keeps people out of " + place).isEmpty();
    }

    @Test
    void markup_in_ids_bodies_and_errors_is_shown_as_text() {
        try (Visit visit = visit()) {
            visit.open("inboxes/orders/" + safe("bad-" + SampleWork.SCRIPT));

            assertThat(visit.page().locator("h1").textContent()).isEqualTo("bad-" + SampleWork.SCRIPT);
            assertThat(visit.page().locator(".error-line").textContent()).contains("<img src=x");
            assertThat(visit.page().locator("pre").last().textContent())
                    .contains(SampleWork.SCRIPT)
                    .contains("12345678901234567890");
            visit.open("buffers/chats/" + safe("+52" + SampleWork.SCRIPT)).see("hola " + SampleWork.SCRIPT);
            visit.open("runs/" + work.run()).see("NETWORK::" + SampleWork.SCRIPT);
            assertThat(visit.page().evaluate("window.ran === undefined")).isEqualTo(true);
        }
    }

    @Test
    void a_wrong_token_is_told_so_and_a_right_one_opens_the_page_until_one_signs_out() {
        try (Visit visit = new Visit(chromium, proxy.url(), "en-GB", ColorScheme.LIGHT)) {
            visit.page().navigate(proxy.url() + "turno/");
            visit.page().locator("input[name=token]").fill("nonsense");
            visit.page().locator("form .primary").click();
            visit.see("This token is not known");
            visit.signIn(RunningServer.ADMIN);

            visit.page()
                    .getByRole(AriaRole.BUTTON, new Page.GetByRoleOptions().setName("Sign out"))
                    .click();

            visit.page().locator("input[name=token]").waitFor();
            visit.forgetErrors();
        }
    }

    @Test
    void a_dead_message_is_revived_cancelled_and_put_again_with_another_body() {
        try (Visit visit = visit()) {
            visit.open("inboxes/orders/bad-0")
                    .seeState("DEAD")
                    .click("Revive")
                    .confirm("")
                    .see("Done: Revive");
            await().until(() ->
                    turno().inbox("orders").find("bad-0").orElseThrow().state() == InboxState.DEAD);
            visit.open("inboxes/orders/bad-1")
                    .seeState("DEAD")
                    .click("Cancel it")
                    .confirm("nobody wants it")
                    .seeState("CANCELLED");
            visit.open("inboxes/orders/good-0").seeState("DONE").click("Retry with edited body");
            visit.page().locator("dialog textarea").fill("{\"edited\": true}");

            visit.confirm("");

            visit.page()
                    .locator("h1")
                    .filter(new Locator.FilterOptions().setHasText("good-0~"))
                    .waitFor();
            visit.see("{\"edited\": true}");
            visit.open("audit").see("nobody wants it");
        }
    }

    @Test
    void many_are_revived_by_filter_and_by_selection_after_one_question_with_the_count() {
        try (Visit visit = visit()) {
            visit.open("inboxes/orders?state=DEAD&q=bad-3").click("Revive all 1 matching this filter");
            visit.see("Revive 1 dead messages");
            visit.confirm("").see("1 revived");
            await().until(() ->
                    turno().inbox("orders").find("bad-3").orElseThrow().fence() == 2);
            visit.open("inboxes/waiting?state=PENDING&q=wait-5");
            visit.page().locator("tbody input").first().click();
            visit.page()
                    .locator("tbody input")
                    .nth(2)
                    .click(new Locator.ClickOptions()
                            .setModifiers(List.of(com.microsoft.playwright.options.KeyboardModifier.SHIFT)));

            visit.click("Cancel 3 selected").confirm("too many").see("3 of 3");

            assertThat(turno().inbox("waiting").counts().cancelled()).isEqualTo(3);
        }
    }

    @Test
    void an_inbox_is_paused_and_resumed() {
        try (Visit visit = visit()) {
            visit.open("inboxes/waiting").click("Pause").confirm("maintenance").seeState("PAUSED");
            assertThat(turno().inbox("waiting").isPaused()).isTrue();
            visit.open("overview").see("is paused");
            visit.open("inboxes/waiting").click("Resume");
            await().until(() -> !turno().inbox("waiting").isPaused());
        }
    }

    @Test
    void a_key_is_flushed_and_a_dead_burst_revived() {
        try (Visit visit = visit()) {
            visit.open("buffers/chats/" + safe("+5255"))
                    .see("una mesa")
                    .click("Flush now")
                    .confirm("")
                    .see("handed over");
            visit.open("buffers/broken?show=dead").click("Revive").confirm("").see("Done: Revive");
        }
    }

    @Test
    void a_task_is_run_now_and_a_schedule_is_paused_resumed_and_run() {
        try (Visit visit = visit()) {
            visit.open("tasks/" + work.task()).click("Run now").confirm("").see("Done: Run now");
            await().atMost(Duration.ofSeconds(20))
                    .until(() -> turno().tasks()
                            .find(work.task())
                            .orElseThrow()
                            .finishedAt()
                            .isPresent());
            visit.open("tasks/schedule/nightly").see("every day at 02:30").see("Europe/Berlin");
            visit.click("Pause").confirm("").seeState("PAUSED").click("Resume");
            visit.page()
                    .locator(".head .state-PAUSED")
                    .waitFor(new Locator.WaitForOptions()
                            .setState(com.microsoft.playwright.options.WaitForSelectorState.DETACHED));
            visit.click("Run now").confirm("").see("Done: Run now");
        }
    }

    @Test
    void a_run_is_stopped_and_resumed() {
        try (Visit visit = visit()) {
            visit.open("runs/" + work.run())
                    .seeState("DOING")
                    .click("Stop")
                    .confirm("")
                    .seeState("STOPPED");
            visit.click("Resume").confirm("").seeState("DOING");
        }
    }

    @Test
    void a_lock_is_released_by_force_with_a_reason() {
        try (Visit visit = visit()) {
            visit.open("locks/to-be-forced").click("Force release");
            visit.page().locator("dialog button[type=submit]").click();
            assertThat(visit.page().locator("dialog").isVisible())
                    .as("no reason, no release")
                    .isTrue();
            visit.confirm("its holder was switched off").see("Done: Force release");
            visit.see("Nobody has");
            visit.open("audit").see("its holder was switched off");
            visit.forgetErrors(); // the lock was asked for once more and was gone
        }
    }

    @Test
    void viewers_see_no_buttons_and_their_requests_are_refused() {
        try (Visit visit = visit("en-GB", ColorScheme.LIGHT, server.newToken("viewer"))) {
            for (String place :
                    List.of("inboxes/orders/bad-2", "inboxes", "locks/report", "runs/" + work.run(), "tasks")) {
                visit.open(place);
                assertThat(visit.page().locator("main .danger, main .primary").count())
                        .as(place)
                        .isZero();
            }
            assertThat(visit.page().locator(".nav").textContent()).doesNotContain("Audit");
            assertThat(visit.page()
                            .evaluate("fetch('../api/v1/inboxes/orders/pause', {method: 'POST'}).then(a => a.status)"))
                    .isEqualTo(403);
            visit.forgetErrors();
        }
    }

    @Test
    void eight_tabs_are_live_at_once() {
        try (Visit visit = visit().open("overview")) {
            List<Page> tabs = new ArrayList<>(List.of(visit.page()));
            while (tabs.size() < 8) {
                Page tab = visit.newTab();
                tab.navigate(proxy.url() + "turno/#/overview");
                tabs.add(tab);
            }
            for (Page tab : tabs) {
                tab.locator(".stream:not(.down)").waitFor();
                tab.locator(".figure .value").first().waitFor();
            }
        }
    }

    @Test
    void what_happens_is_shown_without_asking() {
        turno().inbox("news").put("first", "{}");
        try (Visit visit = visit()) {
            visit.open("inboxes/news").see("first");

            turno().inbox("news").put("second", "{}");

            visit.see("second");
        }
    }

    @Test
    void the_keyboard_goes_everywhere() {
        try (Visit visit = visit()) {
            Page page = visit.open("overview").page();
            page.keyboard().press("g");
            page.keyboard().press("i");
            page.locator("h1", new Page.LocatorOptions().setHasText("Inboxes")).waitFor();
            page.locator("tbody tr").first().waitFor();
            page.keyboard().press("j");
            page.keyboard().press("Enter");
            page.locator(".crumbs").waitFor();
            page.goBack();
            page.locator("h1", new Page.LocatorOptions().setHasText("Inboxes")).waitFor();
            page.keyboard().press("/");
            page.keyboard().type("good-2");
            page.keyboard().press("Enter");
            page.locator("h1", new Page.LocatorOptions().setHasText("Search: good-2"))
                    .waitFor();
            page.locator("tbody a").click();
            page.locator("h1", new Page.LocatorOptions().setHasText("good-2")).waitFor();
            page.keyboard().press("?");
            page.locator("dialog").waitFor();
        }
    }

    @Test
    void the_page_is_light_and_its_first_content_quick() {
        try (Visit visit = new Visit(chromium, proxy.url(), "en-GB", ColorScheme.LIGHT)) {
            List<Response> responses = new ArrayList<>();
            visit.page().onResponse(responses::add);
            visit.signIn(RunningServer.ADMIN).open("overview");
            visit.page().locator("canvas").waitFor();
            visit.page().locator(".stream:not(.down)").waitFor();
            long bytes = responses.stream().mapToLong(DashboardTest::bodySize).sum();
            Page tab = visit.newTab();
            long start = System.nanoTime();
            tab.navigate(proxy.url() + "turno/#/overview");
            tab.locator(".figure .value").first().waitFor();
            long millis = (System.nanoTime() - start) / 1_000_000;

            System.out.printf(
                    "the page: %,d bytes compressed in %d answers, first figures after %,d ms%n",
                    bytes, responses.size(), millis);
            assertThat(bytes).isBetween(50_000L, (long) MOST_BYTES);
        }
    }

    private static long bodySize(Response response) {
        return response.request().sizes().responseBodySize;
    }
}
