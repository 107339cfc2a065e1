package dev.turno.server.cli;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import tools.jackson.core.JacksonException;
import tools.jackson.core.StreamReadFeature;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

@Command(
        name = "calendar",
        mixinStandardHelpOptions = true,
        description = "Business days of the certification service.")
final class CalendarCommand extends Noun {

    private static final long LONGEST_FILE = 1_000_000;
    private static final String[] COLUMNS = {"fecha", "habil", "motivo"};
    private static final JsonMapper STRICT = JsonMapper.builder()
            .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
            .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
            .build();

    @Command(
            description = "Replaces the days that were declared for a year by those of a file: all of them, or none.",
            mixinStandardHelpOptions = true)
    void load(
            @Mixin Api api,
            @Parameters(paramLabel = "CALENDAR", description = "CONSAR or CNBV.") String calendar,
            @Parameters(paramLabel = "YEAR") int year,
            @Parameters(
                            paramLabel = "FILE",
                            description = "As in [{\"fecha\":\"2027-06-06\",\"habil\":false,\"motivo\":\"elecciones\","
                                    + "\"referencia\":\"DOF\"}].")
                    Path file) {
        api.show(api.ask("PUT", path(calendar) + "/anio/" + year, read(file)), COLUMNS);
    }

    @Command(description = "The days that were declared for a year.", mixinStandardHelpOptions = true)
    void list(
            @Mixin Api api,
            @Parameters(paramLabel = "CALENDAR") String calendar,
            @Parameters(paramLabel = "YEAR") int year) {
        api.show(api.get(path(calendar) + "/anio/" + year), COLUMNS);
    }

    @Command(description = "Whether a day is a business day.", mixinStandardHelpOptions = true)
    void show(
            @Mixin Api api,
            @Parameters(paramLabel = "CALENDAR") String calendar,
            @Parameters(paramLabel = "DATE", description = "As in 2027-06-06.") String date,
            @Option(names = "--next", description = "The first business day after it instead.") boolean next) {
        api.show(api.get(path(calendar) + "/" + Api.segment(date) + (next ? "/siguiente" : "")));
    }

    private static String path(String calendar) {
        return "/calendario/" + Api.segment(calendar);
    }

    /** What is wrong with the file as a whole is told here; the server looks at the days. */
    private static JsonNode read(Path file) {
        try {
            if (Files.size(file) > LONGEST_FILE) {
                throw new IllegalStateException(file + " is longer than a year can be; nothing was sent.");
            }
            JsonNode days = STRICT.readTree(Files.readString(file));
            if (!days.isArray()) {
                throw new IllegalStateException(
                        file + " is no list of days: it has to begin with [ and end with ]. Nothing was sent.");
            }
            return days;
        } catch (JacksonException e) {
            throw new IllegalStateException(
                    file + " is not JSON: " + place(e) + e.getOriginalMessage() + ". Nothing was sent.", e);
        } catch (IOException e) {
            throw new IllegalStateException(
                    file + " cannot be read as a text in UTF-8: " + e + ". Nothing was sent.", e);
        }
    }

    private static String place(JacksonException e) {
        var location = e.getLocation();
        return location == null ? "" : "line " + location.getLineNr() + ", column " + location.getColumnNr() + ": ";
    }
}
