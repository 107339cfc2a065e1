package dev.turno.certification.wire;

import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.BiPredicate;
import java.util.function.Predicate;
import java.util.regex.Pattern;

/** The rule of each field, told in the language of the callers. Shared by threads. */
public final class RequestRules {

    /** What became of the checks. */
    public sealed interface Checked {

        /** Warnings: check digits that failed, from a caller who is only to be warned. */
        record Good(CertificationRequest request, List<FieldError> warnings) implements Checked {}

        record Bad(List<FieldError> errors) implements Checked {}
    }

    public static final String BENEFITS = "tipoPrestacion";
    private static final Pattern FOLIO = Pattern.compile("[A-Z0-9-]{1,30}");
    private static final Pattern NSS = Pattern.compile("[0-9]{11}");
    private static final Pattern CURP = Pattern.compile(".{18}");
    private static final Pattern NAME = Pattern.compile("[A-ZÁÉÍÓÚÜÑ .'-]{1,40}");
    private static final Pattern TWO_DIGITS = Pattern.compile("[0-9]{2}");
    private static final Pattern THREE_DIGITS = Pattern.compile("[0-9]{3}");
    private static final Pattern ORIGIN = Pattern.compile("[0-9]{1,9}");
    private static final Pattern SEAL = Pattern.compile("[0-9]{1,19}");
    private static final BigInteger HIGHEST_SEAL = BigInteger.ONE.shiftLeft(63);
    private static final String THE_WORKER = "01";

    private final BiPredicate<String, String> codes;
    private final Predicate<String> warnedOnly;

    /**
     * @param codes whether a catalogue, named as its field, has a code today
     * @param warnedOnly whether the holder of a claveAdminActual is only warned about failed check digits
     */
    public RequestRules(BiPredicate<String, String> codes, Predicate<String> warnedOnly) {
        this.codes = codes;
        this.warnedOnly = warnedOnly;
    }

    public Checked check(RequestReader.Read read) {
        Check check = new Check(read.fields(), new ArrayList<>(read.errors()));
        check.run();
        if (!check.errors.isEmpty()) {
            return new Checked.Bad(List.copyOf(check.errors));
        }
        boolean lenient = warnedOnly.test(check.value("claveAdminActual"));
        return check.digits.isEmpty() || lenient
                ? new Checked.Good(CertificationRequest.of(read.fields()), List.copyOf(check.digits))
                : new Checked.Bad(List.copyOf(check.digits));
    }

    private final class Check {

        private final Map<String, String> fields;
        private final List<FieldError> errors;
        private final List<FieldError> digits = new ArrayList<>();

        private Check(Map<String, String> fields, List<FieldError> errors) {
            this.fields = fields;
            this.errors = errors;
        }

        private String value(String field) {
            return fields.getOrDefault(field, "");
        }

        private void run() {
            required("folioTramiteProcesar", FOLIO, "1 a 30 letras, dígitos y guiones");
            nss();
            curp("curp");
            required("nombreTrabajador", NAME, "1 a 40 letras, con espacios, puntos, apóstrofos y guiones");
            required("apellidoPaterno", NAME, "1 a 40 letras, con espacios, puntos, apóstrofos y guiones");
            optional("apellidoMaterno", NAME, "hasta 40 letras, con espacios, puntos, apóstrofos y guiones");
            code(BENEFITS, TWO_DIGITS, "dos dígitos");
            code("claveAdminActual", THREE_DIGITS, "tres dígitos");
            required("origen", ORIGIN, "un entero desde 0");
            code("idSolicitante", TWO_DIGITS, "dos dígitos");
            curp("curpSolicitante");
            seal();
            curp("curpAgenteServicio");
            code("indicadorOrigenTramite", TWO_DIGITS, "dos dígitos");
        }

        /** A field that could not even be read was told already. */
        private boolean isTold(String field) {
            return errors.stream().anyMatch(error -> error.field().equals(field));
        }

        private boolean required(String field, Pattern pattern, String use) {
            if (isTold(field)) {
                return false;
            }
            if (value(field).isEmpty()) {
                errors.add(new FieldError(field, "es obligatorio: " + use));
                return false;
            }
            return optional(field, pattern, use);
        }

        private boolean optional(String field, Pattern pattern, String use) {
            boolean good =
                    value(field).isEmpty() || pattern.matcher(value(field)).matches();
            if (!good) {
                errors.add(new FieldError(field, "tiene una forma incorrecta: use " + use));
            }
            return good;
        }

        private void code(String field, Pattern pattern, String use) {
            if (required(field, pattern, use) && !codes.test(field, value(field))) {
                errors.add(new FieldError(field, "no está en el catálogo vigente"));
            }
        }

        private void nss() {
            boolean good = required("nss", NSS, "11 dígitos, como texto");
            if (good && !CheckDigits.hasRightNssDigit(value("nss"))) {
                digits.add(new FieldError("nss", "tiene un dígito verificador incorrecto"));
            }
        }

        private void curp(String field) {
            if (!required(field, CURP, "18 caracteres")) {
                return;
            }
            if (!CheckDigits.isCurp(value(field))) {
                errors.add(new FieldError(field, "no es una CURP: su patrón o su fecha de nacimiento no existe"));
            } else if (!CheckDigits.hasRightCurpDigit(value(field))) {
                digits.add(new FieldError(field, "tiene un dígito verificador incorrecto"));
            }
        }

        private void seal() {
            String use = "dígitos, a lo más 2^63";
            boolean good = value("idSolicitante").equals(THE_WORKER)
                    ? required("selloTrabajador", SEAL, use)
                    : !isTold("selloTrabajador") && optional("selloTrabajador", SEAL, use);
            String seal = value("selloTrabajador");
            if (good && !seal.isEmpty() && new BigInteger(seal).compareTo(HIGHEST_SEAL) > 0) {
                errors.add(new FieldError("selloTrabajador", "es demasiado grande: use " + use));
            }
        }
    }
}
