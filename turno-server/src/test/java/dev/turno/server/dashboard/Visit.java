package dev.turno.server.dashboard;

import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Browser;
import com.microsoft.playwright.BrowserContext;
import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.options.AriaRole;
import com.microsoft.playwright.options.ColorScheme;
import com.microsoft.playwright.options.WaitForSelectorState;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;

/** Somebody in front of a browser of their own. At the end there must have been no error in the console, and nothing that the policy forbids. */
final class Visit implements AutoCloseable {

    private static final int PATIENCE_MILLIS = 30_000;

    private final BrowserContext context;
    private final Page page;
    private final String url;
    private final List<String> errors = new CopyOnWriteArrayList<>();

    Visit(Chromium chromium, String url, String language, ColorScheme scheme) {
        this(chromium, url, language, scheme, Optional.empty());
    }

    /** With the cookies of somebody who signed in before, as {@link #cookies()} gave them. */
    Visit(Chromium chromium, String url, String language, ColorScheme scheme, Optional<String> cookies) {
        this.url = url;
        Browser.NewContextOptions options = new Browser.NewContextOptions()
                .setLocale(language)
                .setColorScheme(scheme)
                .setViewportSize(1280, 900);
        cookies.ifPresent(options::setStorageState);
        this.context = chromium.browser().newContext(options);
        context.setDefaultTimeout(PATIENCE_MILLIS);
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

    Page page() {
        return page;
    }

    /** What was refused on purpose is not an error of the page. */
    void forgetErrors() {
        errors.clear();
    }

    Visit signIn(String token) {
        page.navigate(url + "turno/");
        page.locator("input[name=token]").fill(token);
        button("form .primary").click();
        page.locator(".nav").waitFor();
        forgetErrors(); // the page asked who is there and heard: nobody
        return this;
    }

    private Locator button(String selector) {
        return page.locator(selector);
    }

    /** Shows a place and waits until its data are there. */
    Visit open(String place) {
        page.navigate(url + "turno/#/" + place);
        page.locator("h1").first().waitFor();
        page.locator(".skeleton").first().waitFor(new Locator.WaitForOptions().setState(WaitForSelectorState.DETACHED));
        return this;
    }

    Visit click(String name) {
        page.locator("main")
                .getByRole(
                        AriaRole.BUTTON,
                        new Locator.GetByRoleOptions().setName(name).setExact(true))
                .first()
                .click();
        return this;
    }

    /** Answers the dialog, with a reason if it asks for one. */
    Visit confirm(String reason) {
        if (!reason.isEmpty()) {
            page.locator("dialog input[name=reason]").fill(reason);
        }
        page.locator("dialog button[type=submit]").click();
        return this;
    }

    Visit see(String text) {
        page.getByText(text).first().waitFor();
        return this;
    }

    Visit seeState(String state) {
        page.locator(".head .state-" + state).waitFor();
        return this;
    }

    @Override
    public void close() {
        context.close();
        assertThat(errors).as("errors in the console").isEmpty();
    }
}
