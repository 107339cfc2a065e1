package dev.turno.certification.wire;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;

/** An answer of the wire contract: only fields that are not empty, all of them text. */
public record Answer(Map<String, String> fields) {

    public static final String ACCEPTED = "01";
    public static final String REJECTED = "02";
    private static final Set<String> RESULTS = Set.of(ACCEPTED, REJECTED);
    private static final Pattern CODE = Pattern.compile("[0-9]{3}");
    private static final String RESULT = "resultadoOperacion";
    private static final String DIAGNOSIS = "diagnosticoProcesar";

    /** All that the contract knows, in its order. Callers with strict readers refuse any other. */
    public static final List<String> FIELDS = List.of(
            "resultadoOperacion",
            "diagnosticoProcesar",
            "tipoPrestacion",
            "entidadOrigen",
            "tipoTramite",
            "nss",
            "curp",
            "nombreTrabajadorImss",
            "nombreTrabajadorProcanase",
            "nombreTrabajador",
            "apellidoPaterno",
            "apellidoMaterno",
            "fechaMatrimonioDesempleo",
            "fechaNotificacionImss",
            "fechaConclusionVigencia",
            "numeroResolucion",
            "tipoTrabAportacionCuotaSocial",
            "sbcTipoA",
            "sbcTipoB",
            "idPagoComplementario",
            "montoPagadoRetiroOriginal",
            "saldoAnteriorPagoRetiroOriginal",
            "folioOperacionIMSS",
            "delegacion",
            "subdelegacion",
            "umf",
            "fechaPrestTramite",
            "fechaBajaTrabajador",
            "numeroConsecutivoProcesar",
            "totalResolucionesProcesar",
            "claveAdminActual",
            "origen",
            "idSolicitante",
            "curpSolicitante",
            "selloTrabajador",
            "curpAgenteServicio");

    public Answer {
        Map<String, String> ordered = new LinkedHashMap<>();
        for (String field : FIELDS) {
            String value = fields.getOrDefault(field, "");
            if (!value.isEmpty()) {
                ordered.put(field, value);
            }
        }
        fields = Collections.unmodifiableMap(ordered);
        if (!RESULTS.contains(fields.getOrDefault(RESULT, ""))
                || !CODE.matcher(fields.getOrDefault(DIAGNOSIS, "")).matches()) {
            throw new IllegalArgumentException(
                    "An answer has resultadoOperacion 01 or 02 and a diagnosticoProcesar of three digits; this one does not.");
        }
    }

    public static Answer rejected(String diagnosis, String benefit) {
        return new Answer(
                Map.of("resultadoOperacion", REJECTED, "diagnosticoProcesar", diagnosis, "tipoPrestacion", benefit));
    }

    public String result() {
        return field(RESULT);
    }

    /** Empty if it is not there. */
    public String field(String name) {
        return fields.getOrDefault(name, "");
    }

    public String diagnosis() {
        return field(DIAGNOSIS);
    }

    /** Without anything personal: it may end in a log. */
    @Override
    public String toString() {
        return "Answer[" + result() + "/" + diagnosis() + "]";
    }
}
