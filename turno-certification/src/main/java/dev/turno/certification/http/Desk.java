package dev.turno.certification.http;

import dev.turno.certification.intake.Intake;
import dev.turno.certification.intake.Outcome;
import dev.turno.certification.wire.CertificationRequest;
import dev.turno.certification.wire.FieldError;
import dev.turno.certification.wire.RequestReader;
import dev.turno.certification.wire.RequestRules;
import dev.turno.certification.wire.RequestRules.Checked;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * From the bytes of a request to a reply, in the order credentials, shape, identity, calendar, work. Writes nothing personal to the
 * log: no value of a field, and no message of an exception, which may quote one. Shared by threads.
 */
final class Desk {

    private static final Logger LOG = LoggerFactory.getLogger(Desk.class);
    private static final String KEY_HEADER = "Idempotency-Key";
    private static final Pattern KEY = Pattern.compile("[\\x21-\\x7E]{1,200}");
    private static final Pattern AFORE = Pattern.compile("[0-9]{3}");
    private static final Pattern BENEFIT = Pattern.compile("[0-9]{2}");
    private static final String RETRY_AFTER = "Retry-After";

    private final RequestReader reader = new RequestReader();
    private final RequestRules rules;
    private final Intake intake;

    Desk(RequestRules rules, Intake intake) {
        this.rules = rules;
        this.intake = intake;
    }

    /** Empty: the caller may not act for the AFORE that the request names. */
    Optional<Reply> handle(byte[] body, Optional<String> key, Predicate<String> mayActFor) {
        try {
            return read(body, key, mayActFor);
        } catch (RuntimeException e) {
            return Optional.of(Intake.isAway(e) ? unavailable("") : failed(e));
        }
    }

    private Optional<Reply> read(byte[] body, Optional<String> key, Predicate<String> mayActFor) {
        Optional<RequestReader.Read> read =
                body.length > RequestReader.LONGEST_BODY ? Optional.empty() : reader.read(body);
        if (read.isEmpty()) {
            return Optional.of(Reply.malformed("", List.of()));
        }
        String afore = read.get().fields().getOrDefault("claveAdminActual", "");
        if (AFORE.matcher(afore).matches() && !mayActFor.test(afore)) {
            return Optional.empty();
        }
        return Optional.of(checked(read.get(), key.map(String::strip).filter(text -> !text.isEmpty())));
    }

    private Reply checked(RequestReader.Read read, Optional<String> key) {
        String benefit = read.fields().getOrDefault(RequestRules.BENEFITS, "");
        String echoed = BENEFIT.matcher(benefit).matches() ? benefit : "";
        if (key.isPresent() && !KEY.matcher(key.get()).matches()) {
            return Reply.malformed(
                    echoed,
                    List.of(new FieldError(KEY_HEADER, "tiene una forma incorrecta: use 1 a 200 caracteres visibles")));
        }
        Checked checked = rules.check(read);
        if (checked instanceof Checked.Bad bad) {
            return Reply.malformed(echoed, bad.errors());
        }
        Checked.Good good = (Checked.Good) checked;
        good.warnings()
                .forEach(warning -> LOG.warn(
                        "A request of AFORE {} goes on with a warning: {} {}.",
                        good.request().claveAdminActual(),
                        warning.field(),
                        warning.message()));
        return told(intake.certify(good.request(), key), good.request());
    }

    private static Reply told(Outcome outcome, CertificationRequest request) {
        String benefit = request.tipoPrestacion();
        if (outcome instanceof Outcome.Answered answered) {
            return Reply.answered(answered.answer(), answered.replayed());
        } else if (outcome instanceof Outcome.InFlight inFlight) {
            return Reply.of(Situation.IN_FLIGHT, benefit, Map.of(RETRY_AFTER, seconds(inFlight.retryAfter())));
        } else if (outcome instanceof Outcome.NotABusinessDay closed) {
            return Reply.of(
                    Situation.NOT_A_BUSINESS_DAY,
                    benefit,
                    Map.of("X-Siguiente-Dia-Habil", closed.next().toString()));
        } else if (outcome instanceof Outcome.Unavailable unavailable) {
            LOG.warn("A request of AFORE {} was not done: {}.", request.claveAdminActual(), unavailable.why());
            return unavailable(benefit);
        } else if (outcome instanceof Outcome.Unknown unknown) {
            return Reply.of(
                    Situation.OUTCOME_UNKNOWN,
                    benefit,
                    Map.of("Location", CertificationController.PATH + "/" + unknown.reference()));
        }
        return Reply.of(Situation.OTHER_CONTENT, benefit, Map.of());
    }

    private static Reply unavailable(String benefit) {
        return Reply.of(Situation.UNAVAILABLE, benefit, Map.of(RETRY_AFTER, "5"));
    }

    private static String seconds(Duration duration) {
        return Long.toString(Math.max(1, duration.plusMillis(999).toSeconds()));
    }

    private static Reply failed(RuntimeException e) {
        String id = UUID.randomUUID().toString();
        LOG.error("Request {} failed inside: {} at {}", id, e.getClass().getName(), frames(e));
        return Reply.of(Situation.INTERNAL_ERROR, "", Map.of("X-Request-Id", id));
    }

    private static String frames(Throwable e) {
        StringBuilder all = new StringBuilder();
        for (Throwable one = e; one != null; one = one.getCause()) {
            all.append(" | ").append(one.getClass().getName());
            for (int i = 0; i < Math.min(12, one.getStackTrace().length); i++) {
                all.append(" < ").append(one.getStackTrace()[i]);
            }
        }
        return all.toString();
    }
}
