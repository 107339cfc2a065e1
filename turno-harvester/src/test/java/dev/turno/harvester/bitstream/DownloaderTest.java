package dev.turno.harvester.bitstream;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.turno.harvester.web.HostGates;
import dev.turno.harvester.web.OutsideClient;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.pdfbox.pdmodel.PDDocument;
import org.apache.pdfbox.pdmodel.PDPage;
import org.apache.pdfbox.pdmodel.PDPageContentStream;
import org.apache.pdfbox.pdmodel.font.PDType1Font;
import org.apache.pdfbox.pdmodel.font.Standard14Fonts;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class DownloaderTest {

    @TempDir
    private Path folder;

    private final OutsideClient client = new OutsideClient(Set.of("localhost"));

    @AfterEach
    void close() {
        client.close();
    }

    private Downloader downloader(long mostBytes, int tries) {
        return new Downloader(
                new DownloadOptions(mostBytes, 2, Duration.ofMillis(1), tries, Duration.ofSeconds(10)), client);
    }

    private static byte[] content(int size) {
        byte[] content = new byte[size];
        new Random(7).nextBytes(content);
        return content;
    }

    @Test
    void a_download_that_breaks_off_again_and_again_goes_on_where_it_was() throws Exception {
        byte[] content = content(1_000_000);
        Path file = folder.resolve("a/file");
        try (BreakingServer server = new BreakingServer(content, 300_000)) {
            Downloaded result = downloader(10_000_000, 5).download(server.url(), file);

            assertThat(result).isInstanceOf(Downloaded.Done.class);
            assertThat(Files.readAllBytes(file)).isEqualTo(content);
            assertThat(server.ranges().get(0)).isEmpty();
            assertThat(server.ranges().subList(1, server.ranges().size())).doesNotContain("");
            assertThat(((Downloaded.Done) result).sha256()).isEqualTo(Downloader.sha256(file));
            try (var files = Files.list(folder.resolve("a"))) {
                assertThat(files).containsExactly(file);
            }
        }
    }

    @Test
    void what_was_read_before_a_crash_is_not_asked_for_again() throws Exception {
        byte[] content = content(1_000_000);
        Path file = folder.resolve("file");
        try (BreakingServer server = new BreakingServer(content, 600_000)) {
            assertThat(downloader(10_000_000, 1).download(server.url(), file)).isInstanceOf(Downloaded.Broken.class);
            assertThat(file).doesNotExist();

            assertThat(downloader(10_000_000, 1).download(server.url(), file)).isInstanceOf(Downloaded.Done.class);

            assertThat(Files.readAllBytes(file)).isEqualTo(content);
        }
    }

    @Test
    void a_file_that_changed_meanwhile_is_read_from_its_beginning() throws Exception {
        byte[] content = content(500_000);
        Path file = folder.resolve("file");
        try (BreakingServer server = new BreakingServer(content, 400_000)) {
            downloader(10_000_000, 1).download(server.url(), file);
            server.change("\"v2\"");

            assertThat(downloader(10_000_000, 3).download(server.url(), file)).isInstanceOf(Downloaded.Done.class);
            assertThat(Files.readAllBytes(file)).isEqualTo(content);
        }
    }

    @Test
    void another_part_than_was_asked_for_is_not_put_behind_what_is_there() throws Exception {
        byte[] content = content(500_000);
        Path file = folder.resolve("file");
        try (BreakingServer server = new BreakingServer(content, 400_000)) {
            downloader(10_000_000, 1).download(server.url(), file);
            server.lieAboutTheRange();

            assertThat(downloader(10_000_000, 4).download(server.url(), file)).isInstanceOf(Downloaded.Broken.class);
            assertThat(file).doesNotExist();
        }
    }

    @Tag("security")
    @Test
    void a_file_that_is_too_large_is_refused_before_it_is_read() throws Exception {
        try (BreakingServer server = new BreakingServer(content(1_000_000), Integer.MAX_VALUE)) {
            Downloaded result = downloader(999_999, 3).download(server.url(), folder.resolve("file"));

            assertThat(result).isEqualTo(new Downloaded.Refused("It has 1000000 bytes; at most 999999."));
            assertThat(server.ranges()).hasSize(1);
        }
    }

    @Tag("security")
    @Test
    void the_own_network_is_not_asked_unless_it_is_allowed() throws Exception {
        OutsideClient careful = new OutsideClient(Set.of());
        Downloader strict = new Downloader(DownloadOptions.defaults(), careful);
        for (String url : List.of(
                "http://127.0.0.1/a",
                "http://localhost/a",
                "http://[::1]/a",
                "http://169.254.1.1/a",
                "http://100.100.100.200/a",
                "http://[fd00::1]/a",
                "http://10.0.0.1/a")) {
            assertThat(strict.download(url, folder.resolve("file"))).as(url).isInstanceOf(Downloaded.Refused.class);
        }
        assertThat(strict.download("file:///etc/passwd", folder.resolve("file")))
                .isInstanceOf(Downloaded.Refused.class);
        careful.close();
    }

    @Test
    void no_more_than_the_allowed_number_ask_one_host_at_a_time() throws Exception {
        HostGates gates = new HostGates(2, Duration.ZERO);
        AtomicInteger inside = new AtomicInteger();
        AtomicInteger most = new AtomicInteger();
        List<Thread> threads = java.util.stream.IntStream.range(0, 8)
                .mapToObj(i -> new Thread(() -> {
                    try {
                        gates.through("host", () -> {
                            most.accumulateAndGet(inside.incrementAndGet(), Math::max);
                            Thread.sleep(20);
                            return inside.decrementAndGet();
                        });
                    } catch (InterruptedException e) {
                        Thread.currentThread().interrupt();
                    }
                }))
                .toList();
        threads.forEach(Thread::start);
        for (Thread thread : threads) {
            thread.join();
        }

        assertThat(most.get()).isEqualTo(2);
    }

    @Test
    void the_text_of_a_pdf_is_read_whatever_its_server_called_it() throws Exception {
        Path file = folder.resolve("file");
        Files.write(file, pdf("Growth and decline of a thing"));

        assertThat(TextExtractor.usual().text(file, "application/octet-stream").orElseThrow())
                .contains("Growth and decline of a thing");
        assertThat(new TextExtractor(6, Duration.ofSeconds(10)).text(file, "")).contains("Growth");
    }

    @Test
    void a_broken_pdf_is_an_error_of_this_file_and_other_kinds_have_no_text() throws Exception {
        Path file = folder.resolve("file");
        Files.writeString(file, "%PDF-1.7 and nothing else");
        assertThatThrownBy(() -> TextExtractor.usual().text(file, "application/pdf"))
                .isInstanceOf(IOException.class);

        Files.writeString(file, "<html>");
        assertThat(TextExtractor.usual().text(file, "text/html")).isEmpty();
        Files.writeString(file, "plain words");
        assertThat(TextExtractor.usual().text(file, "text/plain; charset=utf-8"))
                .contains("plain words");
    }

    private static byte[] pdf(String text) throws IOException {
        try (PDDocument document = new PDDocument();
                ByteArrayOutputStream out = new ByteArrayOutputStream()) {
            PDPage page = new PDPage();
            document.addPage(page);
            try (PDPageContentStream content = new PDPageContentStream(document, page)) {
                content.beginText();
                content.setFont(new PDType1Font(Standard14Fonts.FontName.HELVETICA), 12);
                content.newLineAtOffset(50, 700);
                content.showText(text);
                content.endText();
            }
            document.save(out);
            return out.toByteArray();
        }
    }
}
