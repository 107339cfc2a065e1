package dev.turno.certification.http;

import dev.turno.certification.intake.Intake;
import dev.turno.certification.intake.RequestState;
import dev.turno.certification.wire.Answer;
import dev.turno.certification.wire.RequestReader;
import dev.turno.certification.wire.RequestRules;
import dev.turno.web.security.Caller;
import dev.turno.web.security.Role;
import dev.turno.web.security.Route;
import jakarta.servlet.http.HttpServletRequest;
import java.io.IOException;
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
    /** Of a person who does not exist. */
    static final String EXAMPLE = """
            {"folioTramiteProcesar":"F-0001","nss":"97000000006","curp":"XXAA950624HDFJDL76","nombreTrabajador":"BRUNO",
             "apellidoPaterno":"ZAMPOÑA","apellidoMaterno":"TARRAGÓN","tipoPrestacion":"06","claveAdminActual":"530",
             "origen":1,"idSolicitante":"01","curpSolicitante":"XXAA950624HDFJDL76","selloTrabajador":9223372036854775807,
             "curpAgenteServicio":"XXAB740515MDFNRY30","indicadorOrigenTramite":"01"}
            """;

    private static final String ANSWER = """
            {"resultadoOperacion":"01","diagnosticoProcesar":"400","tipoPrestacion":"06"}
            """;
    private static final String FORBIDDEN =
            "{\"type\":\"about:blank\",\"title\":\"Forbidden\",\"status\":403,\"detail\":\"La claveAdminActual no pertenece a"
                    + " quien llama. No se ejecutó nada.\"}";

    private final Desk desk;
    private final Intake intake;
    private final Profile legacy;
    private final Profile http;

    public CertificationController(
            Intake intake, RequestRules rules, Map<Situation, String> legacyCodes, Map<Situation, String> httpCodes) {
        this.desk = new Desk(rules, intake);
        this.intake = intake;
        this.legacy = new Profile.Legacy(legacyCodes);
        this.http = new Profile.Http(httpCodes);
    }

    /** JSON whatever the caller says it accepts: to refuse that would be no answer of the contract. */
    @Route(
            role = Role.CALLER,
            says = "Certifica una solicitud. Contrato de siempre: responde 200 y dos códigos.",
            takes = EXAMPLE,
            gives = ANSWER)
    @PostMapping(LEGACY_PATH)
    ResponseEntity<String> legacy(HttpServletRequest request) throws IOException {
        return handle(request, legacy);
    }

    @Route(
            role = Role.CALLER,
            says = "Certifica una solicitud. Estados HTTP y problem details; Idempotency-Key opcional.",
            takes = EXAMPLE,
            gives = ANSWER)
    @PostMapping(
            value = PATH,
            produces = {MediaType.APPLICATION_JSON_VALUE, MediaType.APPLICATION_PROBLEM_JSON_VALUE})
    ResponseEntity<String> http(HttpServletRequest request) throws IOException {
        return handle(request, http);
    }

    private ResponseEntity<String> handle(HttpServletRequest request, Profile profile) throws IOException {
        byte[] body = request.getInputStream().readNBytes(RequestReader.LONGEST_BODY + 1);
        Optional<String> key = Optional.ofNullable(request.getHeader("Idempotency-Key"));
        return desk.handle(body, key, afore -> Caller.of(request).mayCertifyFor(afore))
                .map(profile::of)
                .orElseGet(() -> ResponseEntity.status(403)
                        .contentType(MediaType.APPLICATION_PROBLEM_JSON)
                        .body(FORBIDDEN));
    }

    /** What became of a request whose outcome was unknown. */
    @Route(role = Role.CALLER, says = "Qué fue de una solicitud cuyo resultado no se conocía.", gives = ANSWER)
    @GetMapping(
            value = PATH + "/{reference}",
            produces = {MediaType.APPLICATION_JSON_VALUE, MediaType.APPLICATION_PROBLEM_JSON_VALUE})
    ResponseEntity<String> find(HttpServletRequest request, @PathVariable String reference) {
        Optional<Intake.Found> found =
                intake.find(reference).filter(one -> Caller.of(request).mayCertifyFor(one.afore()));
        if (found.isEmpty() || found.get().state() == RequestState.RETRYABLE) {
            return ResponseEntity.notFound().build();
        }
        Optional<Answer> answer = found.get().answer();
        return http.of(answer.map(known -> Reply.answered(known, true))
                .orElseGet(() -> Reply.of(Situation.OUTCOME_UNKNOWN, "", Map.of())));
    }
}
