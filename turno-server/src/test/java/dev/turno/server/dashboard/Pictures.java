package dev.turno.server.dashboard;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;

import com.microsoft.playwright.Page;
import com.microsoft.playwright.options.ColorScheme;
import java.nio.file.Path;

/** The pictures of the documentation, of the demo's invented data, taken on wish: {@code -Dturno.shots=true}. */
public final class Pictures {

    private static final Path FOLDER = Path.of("target", "pictures");

    private Pictures() {}

    public static void takeIfWished(Visit visit) {
        if (!Boolean.getBoolean("turno.shots")) {
            return;
        }
        Page page = visit.page();
        page.setViewportSize(1280, 1010); // all of it
        visit.open("overview");
        assertThat(page.locator("canvas").first()).isVisible();
        take(page, "overview");
        page.setViewportSize(1280, 900);
        visit.open("inboxes/demo-orders?state=DEAD");
        page.locator("tbody a").first().click();
        visit.seeState("DEAD");
        take(page, "message");
        visit.open("tasks");
        take(page, "tasks");
        visit.open("runs");
        take(page, "runs");
        visit.open("networks/DEMO-NORTE");
        page.locator("tbody a").first().click();
        visit.seeTitle(visit.word("networks.snapshot"));
        assertThat(page.locator(".rule-row").first()).isVisible();
        take(page, "network");
        page.emulateMedia(new Page.EmulateMediaOptions().setColorScheme(ColorScheme.DARK));
        page.setViewportSize(1280, 1010);
        visit.open("overview");
        assertThat(page.locator("canvas").first()).isVisible();
        take(page, "overview-dark");
        page.setViewportSize(390, 844);
        visit.open("tasks");
        take(page, "tasks-phone-dark");
        page.emulateMedia(new Page.EmulateMediaOptions().setColorScheme(ColorScheme.LIGHT));
        page.setViewportSize(1280, 900);
    }

    private static void take(Page page, String name) {
        assertThat(page.locator(".skeleton")).hasCount(0);
        page.screenshot(new Page.ScreenshotOptions()
                .setPath(FOLDER.resolve(name + ".png"))
                .setFullPage(true));
    }
}
