package dev.turno.server.dashboard;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.microsoft.playwright.Browser;
import com.microsoft.playwright.BrowserContext;
import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.assertions.PlaywrightAssertions;
import com.microsoft.playwright.options.AriaRole;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;

/**
 * Somebody in front of a browser of their own. At the end there must have been no error in the console, and nothing that the policy
 * forbids. Everything waits for what it wishes to see.
 */
public final class Visit implements AutoCloseable {

    private static final int PATIENCE_MILLIS = 60_000;
    private static final String AXE = Words.text("/axe.min.js");

    /** A note goes after four seconds; those that could be seen are kept, so that a machine that stalls misses none. */
    private static final String KEEP_NOTES = """
            window.notes = [];
            new MutationObserver(changes => changes.forEach(change => change.addedNodes.forEach(node => {
              const seen = node.classList?.contains('note') && node.getClientRects().length > 0;
              if (seen) window.notes.push(node.textContent);
            }))).observe(document, { childList: true, subtree: true });
            """;

    /** Also forgets it, and those before it, so that the same words are waited for again. */
    private static final String FIND_NOTE = """
            text => {
              const place = window.notes.findIndex(note => note.includes(text));
              window.notes.splice(0, place + 1);
              return place >= 0;
            }""";

    private final BrowserContext context;
    private final Page page;
    private final String url;
    private final Words words;
    private final List<String> errors = new CopyOnWriteArrayList<>();
    private boolean hasAxe;

    public Visit(Chromium chromium, String url, Way way) {
        this(chromium, url, way, Optional.empty());
    }

    /** With the cookies of somebody who signed in before, as {@link #cookies()} gave them. */
    Visit(Chromium chromium, String url, Way way, Optional<String> cookies) {
        this.url = url;
        this.words = new Words(way.locale);
        Browser.NewContextOptions options = new Browser.NewContextOptions()
                .setLocale(way.locale)
                .setColorScheme(way.scheme)
                .setViewportSize(1280, 900);
        cookies.ifPresent(options::setStorageState);
        this.context = chromium.browser().newContext(options);
        context.setDefaultTimeout(PATIENCE_MILLIS);
        context.addInitScript(KEEP_NOTES);
        PlaywrightAssertions.setDefaultAssertionTimeout(PATIENCE_MILLIS);
        this.page = newTab();
    }

    String cookies() {
        return context.storageState();
    }

    Page newTab() {
        Page tab = context.newPage();
        tab.onConsoleMessage(message -> {
            if (message.type().equals("error")) {
                errors.add(message.text() + " at " + message.location());
            }
        });
        tab.onPageError(errors::add);
        return tab;
    }

    public Page page() {
        return page;
    }

    public String word(String key, String... values) {
        return words.of(key, values);
    }

    /** What was refused on purpose is not an error of the page. */
    public void forgetErrors() {
        errors.clear();
    }

    public Visit signIn(String token) {
        page.navigate(url + "turno/");
        page.locator("input[name=token]").fill(token);
        page.locator("form .primary").click();
        assertThat(page.locator(".nav")).isVisible();
        assertThat(page.locator(".skeleton")).hasCount(0);
        forgetErrors(); // the page asked who is there and heard: nobody
        return this;
    }

    /** Shows a place and waits until its data are there. */
    public Visit open(String place) {
        page.navigate(url + "turno/#/" + place);
        assertThat(page.locator("h1").first()).isVisible();
        assertThat(page.locator(".skeleton")).hasCount(0);
        return this;
    }

    /** A button of the view, by the key of its word. */
    public Visit click(String key) {
        button(word(key)).click();
        return this;
    }

    Locator button(String text) {
        return page.locator("main")
                .getByRole(
                        AriaRole.BUTTON,
                        new Locator.GetByRoleOptions().setName(text).setExact(true))
                .first();
    }

    /** A link of the view, by a part of its text. */
    Visit follow(String text) {
        page.locator("main a", new Page.LocatorOptions().setHasText(text))
                .first()
                .click();
        return this;
    }

    /** Answers the dialog, with a reason if it asks for one. */
    public Visit confirm(String reason) {
        if (!reason.isEmpty()) {
            page.locator("dialog input[name=reason]").fill(reason);
        }
        page.locator("dialog button[type=submit]").click();
        return this;
    }

    public Visit see(String text) {
        assertThat(page.getByText(text).first()).isVisible();
        return this;
    }

    /** That a note says so, or did since the last one that was waited for. */
    Visit seeNote(String text) {
        await("a note that says: " + text)
                .atMost(Duration.ofMillis(PATIENCE_MILLIS))
                .pollInSameThread()
                .pollDelay(Duration.ZERO)
                .until(() -> page.evaluate(FIND_NOTE, text), Boolean.TRUE::equals);
        return this;
    }

    /** That an act was done. */
    public Visit seeDone(String key) {
        return seeNote(word("done.it", "what", word(key)));
    }

    Visit seeTitle(String text) {
        assertThat(page.locator("h1").first()).containsText(text);
        return this;
    }

    Visit seeState(String state) {
        assertThat(page.locator(".head .state-" + state)).isVisible();
        return this;
    }

    /** What keeps people out, as axe finds it; {@code rules} are its options, as JSON. */
    @SuppressWarnings("unchecked")
    List<String> barriers(String rules) {
        if (!hasAxe) {
            page.evaluate(AXE); // once: places stand behind the #, so the page stays
            hasAxe = true;
        }
        return new ArrayList<>(
                (List<String>) page.evaluate("axe.run(document, " + rules + ").then(found => found.violations"
                        + ".filter(rule => ['serious', 'critical'].includes(rule.impact))"
                        + ".map(rule => rule.id + ': ' + rule.nodes[0].html))"));
    }

    @Override
    public void close() {
        context.close();
        assertThat(errors).as("errors in the console").isEmpty();
    }
}
