package dev.turno.certification.http;

/** What a caller is told, and by which code and status. */
public enum Situation {
    ANSWERED(200, ""),
    IN_FLIGHT(409, "901"),
    OTHER_CONTENT(422, "902"),
    NOT_A_BUSINESS_DAY(200, "903"),
    MALFORMED(422, "904"),
    UNAVAILABLE(503, "905"),
    OUTCOME_UNKNOWN(202, "906"),
    INTERNAL_ERROR(500, "999");

    private final int status;
    private final String code;

    Situation(int status, String code) {
        this.status = status;
        this.code = code;
    }

    int status() {
        return status;
    }

    String code() {
        return code;
    }

    /** For people, in the language of the callers. */
    String title() {
        return switch (this) {
            case ANSWERED -> "Solicitud atendida";
            case IN_FLIGHT -> "Hay una solicitud en proceso para el mismo trabajador y prestación";
            case OTHER_CONTENT -> "El folio o la Idempotency-Key ya se usó con otro contenido";
            case NOT_A_BUSINESS_DAY -> "No es día hábil";
            case MALFORMED -> "La solicitud no cumple el contrato";
            case UNAVAILABLE -> "El servicio no está disponible por el momento";
            case OUTCOME_UNKNOWN -> "La solicitud se envió y su resultado aún no se conoce";
            case INTERNAL_ERROR -> "Error interno";
        };
    }

    /** What to do next. */
    String advice() {
        return switch (this) {
            case ANSWERED -> "";
            case IN_FLIGHT -> "No se ejecutó nada. Repita la misma solicitud después de Retry-After.";
            case OTHER_CONTENT ->
                "No se ejecutó nada. Use un folio y una Idempotency-Key nuevos, o el contenido original.";
            case NOT_A_BUSINESS_DAY -> "No se ejecutó nada. Envíe la solicitud el siguiente día hábil.";
            case MALFORMED -> "No se ejecutó nada. Corrija los campos señalados.";
            case UNAVAILABLE -> "No se ejecutó nada. Repita la misma solicitud después de Retry-After.";
            case OUTCOME_UNKNOWN -> "No la envíe con otro folio. Consulte Location o repita la misma solicitud.";
            case INTERNAL_ERROR -> "Repita la misma solicitud; si persiste, reporte el X-Request-Id.";
        };
    }
}
