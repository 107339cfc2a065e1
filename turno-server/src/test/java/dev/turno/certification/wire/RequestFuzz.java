package dev.turno.certification.wire;

import static dev.turno.fuzz.Property.holds;

import java.nio.charset.StandardCharsets;
import java.util.Optional;

/** The body of a certification request: no request, or one with errors that have names, or one that is the same when sent again. */
public final class RequestFuzz {

    private static final RequestReader READER = new RequestReader();
    private static final RequestRules RULES =
            new RequestRules((catalog, code) -> !code.equals("99"), afore -> afore.equals("531"));

    private RequestFuzz() {}

    public static void fuzzerTestOneInput(byte[] input) {
        READER.read(input).map(RULES::check).ifPresent(RequestFuzz::check);
        answer(new String(input, StandardCharsets.UTF_8));
    }

    private static void check(RequestRules.Checked checked) {
        if (checked instanceof RequestRules.Checked.Bad bad) {
            holds(!bad.errors().isEmpty(), "a bad request has an error");
            bad.errors()
                    .forEach(error -> holds(CertificationRequest.FIELDS.contains(error.field()), "of a known field"));
        } else if (checked instanceof RequestRules.Checked.Good good) {
            CertificationRequest request = good.request();
            byte[] written = Wire.write(request).getBytes(StandardCharsets.UTF_8);
            Optional<RequestRules.Checked> again = READER.read(written).map(RULES::check);
            holds(
                    again.filter(RequestRules.Checked.Good.class::isInstance)
                            .map(RequestRules.Checked.Good.class::cast)
                            .filter(same -> same.request().equals(request))
                            .filter(same -> same.request().fingerprint().equals(request.fingerprint()))
                            .isPresent(),
                    "what is written is read as the same request");
            holds(!request.toString().contains(request.curp()), "nothing personal is in its text");
        }
    }

    private static void answer(String text) {
        Wire.readAnswer(text).ifPresent(answer -> {
            String written = Wire.write(answer);
            holds(Wire.readAnswer(written).equals(Optional.of(answer)), "an answer is read as it was written");
        });
    }
}
