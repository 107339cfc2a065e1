package dev.turno.server.dashboard;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.microsoft.playwright.Browser;
import com.microsoft.playwright.BrowserType;
import com.microsoft.playwright.Playwright;
import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/** A real browser. Not shared by threads. */
public final class Chromium implements AutoCloseable {

    private static final List<String> NAMES = List.of("chromium", "chromium-browser", "google-chrome");

    private final Playwright playwright;
    private final Browser browser;

    private Chromium(Path executable) {
        playwright = Playwright.create(
                new Playwright.CreateOptions().setEnv(Map.of("PLAYWRIGHT_SKIP_BROWSER_DOWNLOAD", "1")));
        browser = playwright
                .chromium()
                .launch(new BrowserType.LaunchOptions()
                        .setExecutablePath(executable)
                        .setHeadless(true)
                        .setTimeout(120_000)
                        .setArgs(List.of(
                                "--no-sandbox",
                                "--disable-gpu",
                                "--disable-background-networking",
                                "--disable-component-update",
                                "--disable-sync",
                                "--no-first-run")));
    }

    /** Skips the test where there is none. */
    static Chromium startOrSkip() {
        Optional<Path> found = find();
        assumeTrue(
                found.isPresent(),
                "no Chromium here, so the dashboard is not tested: install it (apt-get install chromium) or name it in TURNO_CHROMIUM");
        return new Chromium(found.orElseThrow());
    }

    /** None where there is no browser. */
    public static Optional<Chromium> startIfThere() {
        return find().map(Chromium::new);
    }

    private static Optional<Path> find() {
        Stream<Path> named = Stream.ofNullable(System.getenv("TURNO_CHROMIUM")).map(Path::of);
        Stream<Path> onPath = Arrays.stream(
                        System.getenv().getOrDefault("PATH", "").split(File.pathSeparator, -1))
                .flatMap(folder -> NAMES.stream().map(name -> Path.of(folder, name)));
        return Stream.concat(named, onPath).filter(Files::isExecutable).findFirst();
    }

    Browser browser() {
        return browser;
    }

    @Override
    public void close() {
        browser.close();
        playwright.close();
    }
}
