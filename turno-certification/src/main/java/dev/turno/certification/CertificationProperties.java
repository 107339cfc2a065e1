package dev.turno.certification;

import dev.turno.certification.calendar.CalendarSource;
import dev.turno.certification.http.Situation;
import java.net.URI;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * How the certification service runs.
 *
 * @param process whose business days count
 * @param calendars which calendar a process follows; P00020 follows CONSAR's unless it is said otherwise
 * @param keep how long answers are kept, and repetitions answered with them
 * @param checkDigitsWarnOnly AFOREs whose requests go on although a check digit is wrong
 * @param sampleWorkers how many generated people the embedded authority begins with if it knows nobody
 */
@ConfigurationProperties("turno.certification")
public record CertificationProperties(
        @DefaultValue("P00020") String process,
        @DefaultValue Map<String, CalendarSource> calendars,
        @DefaultValue("7d") Duration keep,
        @DefaultValue Set<String> checkDigitsWarnOnly,
        @DefaultValue("100") int sampleWorkers,
        @DefaultValue Authority authority,
        @DefaultValue Notification notification,
        @DefaultValue Codes legacy,
        @DefaultValue Codes http) {

    /**
     * The validator outside.
     *
     * @param url none: the embedded authority decides
     * @param timeout of a connection and of an answer; below the lease of the locks
     */
    public record Authority(
            @Nullable URI url, @DefaultValue("20s") Duration timeout) {}

    /**
     * Who is told of answers.
     *
     * @param url where answers are told; none: nobody is told
     * @param secret to sign with
     */
    public record Notification(
            @Nullable URI url, @DefaultValue("") String secret) {}

    /**
     * Codes of a profile that differ from the usual ones, by situation. The legacy profile says 532 on a day that is no business day
     * unless it is told otherwise.
     *
     * @param codes the code of a situation, such as 532 for {@code NOT_A_BUSINESS_DAY}
     */
    public record Codes(@DefaultValue Map<Situation, String> codes) {}
}
