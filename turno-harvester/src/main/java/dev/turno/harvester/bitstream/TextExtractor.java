package dev.turno.harvester.bitstream;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Locale;
import java.util.Optional;
import org.apache.pdfbox.Loader;
import org.apache.pdfbox.io.IOUtils;
import org.apache.pdfbox.pdmodel.PDDocument;
import org.apache.pdfbox.text.PDFTextStripper;

/** Reads the text of PDF and plain text files. Gives up in time and cuts what is too long. Shared by threads. */
public final class TextExtractor {

    private final int mostCharacters;
    private final Duration longest;

    public TextExtractor(int mostCharacters, Duration longest) {
        this.mostCharacters = mostCharacters;
        this.longest = longest;
    }

    public static TextExtractor usual() {
        return new TextExtractor(2_000_000, Duration.ofMinutes(1));
    }

    /** Empty if files of this kind are not read. */
    public Optional<String> text(Path file, String mediaType) throws IOException {
        String type = mediaType.toLowerCase(Locale.ROOT);
        if (isPdf(file)) {
            return Optional.of(pdf(file));
        }
        return type.startsWith("text/plain") ? Optional.of(plain(file)) : Optional.empty();
    }

    /** Servers name types as they like; a PDF says itself what it is. */
    private static boolean isPdf(Path file) throws IOException {
        try (InputStream in = Files.newInputStream(file)) {
            return new String(in.readNBytes(1024), StandardCharsets.ISO_8859_1).contains("%PDF-");
        }
    }

    private String plain(Path file) throws IOException {
        try (InputStream in = Files.newInputStream(file)) {
            return cut(new String(in.readNBytes(mostCharacters * 4), StandardCharsets.UTF_8));
        }
    }

    private String cut(String text) {
        return text.length() <= mostCharacters ? text : text.substring(0, mostCharacters);
    }

    /** Page by page, so that a monster costs no more than its time. */
    private String pdf(Path file) throws IOException {
        long end = System.nanoTime() + longest.toNanos();
        try (PDDocument document = Loader.loadPDF(file.toFile(), IOUtils.createTempFileOnlyStreamCache())) {
            StringBuilder text = new StringBuilder();
            PDFTextStripper stripper = new PDFTextStripper();
            for (int page = 1; page <= document.getNumberOfPages() && text.length() < mostCharacters; page++) {
                if (System.nanoTime() - end > 0) {
                    break;
                }
                stripper.setStartPage(page);
                stripper.setEndPage(page);
                text.append(stripper.getText(document));
            }
            return cut(text.toString());
        } catch (RuntimeException | StackOverflowError e) {
            throw new IOException("The PDF cannot be read: " + e, e);
        }
    }
}
