package dev.turno.certification.http;

import dev.turno.certification.wire.Answer;
import dev.turno.certification.wire.FieldError;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What is to be told, before a profile has put it into words.
 *
 * @param answer for ANSWERED alone
 * @param benefit the request's tipoPrestacion, or empty if it could not be read
 * @param errors of MALFORMED; none: the body as a whole cannot be read
 */
record Reply(
        Situation situation,
        Optional<Answer> answer,
        String benefit,
        Map<String, String> headers,
        List<FieldError> errors) {

    static Reply answered(Answer answer, boolean replayed) {
        Map<String, String> headers = replayed ? Map.of("Idempotent-Replayed", "true") : Map.of();
        return new Reply(Situation.ANSWERED, Optional.of(answer), "", headers, List.of());
    }

    static Reply of(Situation situation, String benefit, Map<String, String> headers) {
        return new Reply(situation, Optional.empty(), benefit, headers, List.of());
    }

    static Reply malformed(String benefit, List<FieldError> errors) {
        return new Reply(Situation.MALFORMED, Optional.empty(), benefit, Map.of(), errors);
    }

    /** The body of the contract. */
    Answer body(Map<Situation, String> codes) {
        return answer.orElseGet(() -> Answer.rejected(code(codes), benefit));
    }

    String code(Map<Situation, String> codes) {
        return codes.getOrDefault(situation, situation.code());
    }
}
