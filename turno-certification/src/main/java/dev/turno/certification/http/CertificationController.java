package dev.turno.certification.http;

import dev.turno.certification.intake.Intake;
import dev.turno.certification.intake.RequestState;
import dev.turno.certification.wire.Answer;
import dev.turno.certification.wire.RequestReader;
import dev.turno.certification.wire.RequestRules;
import jakarta.servlet.http.HttpServletRequest;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RestController;

/** The endpoint in its two profiles, side by side. Bodies are read as bytes: what is wrong with them is ours to tell. */
@RestController
public class CertificationController {

    static final String LEGACY_PATH = "/disposicionimss/certificacion";
    static final String PATH = "/api/v1/certificaciones";
    private static final String FORBIDDEN =
            "{\"type\":\"about:blank\",\"title\":\"Forbidden\",\"status\":403,\"detail\":\"La claveAdminActual no pertenece a"
                    + " quien llama. No se ejecut\u00f3 nada.\"}";

    private final Desk desk;
    private final Intake intake;
    private final CallerRights rights;
    private final Profile legacy;
    private final Profile http;

    public CertificationController(
            Intake intake,
            RequestRules rules,
            CallerRights rights,
            Map<Situation, String> legacyCodes,
            Map<Situation, String> httpCodes) {
        this.desk = new Desk(rules, intake);
        this.intake = intake;
        this.rights = rights;
        this.legacy = new Profile.Legacy(legacyCodes);
        this.http = new Profile.Http(httpCodes);
    }

    @PostMapping(value = LEGACY_PATH, produces = MediaType.APPLICATION_JSON_VALUE)
    ResponseEntity<String> legacy(HttpServletRequest request) throws IOException {
        return handle(request, legacy);
    }

    @PostMapping(
            value = PATH,
            produces = {MediaType.APPLICATION_JSON_VALUE, MediaType.APPLICATION_PROBLEM_JSON_VALUE})
    ResponseEntity<String> http(HttpServletRequest request) throws IOException {
        return handle(request, http);
    }

    private ResponseEntity<String> handle(HttpServletRequest request, Profile profile) throws IOException {
        byte[] body = request.getInputStream().readNBytes(RequestReader.LONGEST_BODY + 1);
        Optional<String> key = Optional.ofNullable(request.getHeader("Idempotency-Key"));
        return desk.handle(body, key, afore -> rights.mayCertifyFor(request, afore))
                .map(profile::of)
                .orElseGet(() -> ResponseEntity.status(403)
                        .contentType(MediaType.APPLICATION_PROBLEM_JSON)
                        .body(FORBIDDEN));
    }

    /** What became of a request whose outcome was unknown. */
    @GetMapping(
            value = PATH + "/{reference}",
            produces = {MediaType.APPLICATION_JSON_VALUE, MediaType.APPLICATION_PROBLEM_JSON_VALUE})
    ResponseEntity<String> find(HttpServletRequest request, @PathVariable String reference) {
        Optional<Intake.Found> found =
                intake.find(reference).filter(one -> rights.mayCertifyFor(request, one.afore()));
        if (found.isEmpty() || found.get().state() == RequestState.RETRYABLE) {
            return ResponseEntity.notFound().build();
        }
        Optional<Answer> answer = found.get().answer();
        return http.of(answer.map(known -> Reply.answered(known, true))
                .orElseGet(() -> new Reply(Situation.OUTCOME_UNKNOWN, answer, "", Map.of(), List.of())));
    }
}
