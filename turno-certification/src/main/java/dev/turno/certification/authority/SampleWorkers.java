package dev.turno.certification.authority;

import dev.turno.certification.wire.CertificationRequest;
import dev.turno.certification.wire.CheckDigits;
import java.math.BigDecimal;
import java.time.LocalDate;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Random;

/**
 * People who do not exist, the same ones at every start, for demonstrations, tests and benchmarks. Most have a right to an
 * unemployment benefit; of each ten, number 7 is employed, number 8 opened an account too late, number 9 just lost a job.
 */
public final class SampleWorkers {

    private static final String[] GIVEN = {"AURELIA", "BRUNO", "CELIA", "DARÍO", "ELISA", "FABIÁN", "GRETA", "HUGO"};
    private static final String[] SURNAMES = {"ZAMPOÑA", "QUIJERA", "BELTRANEJO", "OLMEDILLA", "TARRAGÓN", "VILLASUR"};
    private static final String CONSONANTS = "BCDFGHJKLMNPQRSTVWXYZ";
    private static final LocalDate LONG_AGO = LocalDate.of(2010, 1, 1);

    private SampleWorkers() {}

    static Worker worker(int number) {
        Random random = new Random(number);
        int kind = number % 10;
        String surname = SURNAMES[random.nextInt(SURNAMES.length)];
        String second = SURNAMES[random.nextInt(SURNAMES.length)];
        String given = GIVEN[random.nextInt(GIVEN.length)];
        BigDecimal wage = BigDecimal.valueOf(25_000 + random.nextInt(75_000), 2);
        return new Worker(
                nss(number),
                curp(number, random),
                given,
                surname,
                second,
                kind == 8 ? LocalDate.of(2099, 1, 1) : LONG_AGO.plusDays(random.nextInt(2_000)),
                kind == 8 ? 20 : 300 + random.nextInt(500),
                leftOn(kind, random),
                Optional.of(LONG_AGO.plusDays(random.nextInt(3_000))),
                wage,
                wage.multiply(new BigDecimal("0.9")).setScale(2, java.math.RoundingMode.HALF_EVEN),
                BigDecimal.valueOf(5_000_000L + random.nextInt(20_000_000), 2),
                String.format(Locale.ROOT, "%02d", 1 + random.nextInt(38)),
                String.format(Locale.ROOT, "%02d", 1 + random.nextInt(20)),
                String.format(Locale.ROOT, "%03d", 1 + random.nextInt(200)));
    }

    private static Optional<LocalDate> leftOn(int kind, Random random) {
        if (kind == 7) {
            return Optional.empty();
        }
        // Somebody who loses the job in the far future has not been unemployed for long, whenever this runs.
        return Optional.of(
                kind == 9 ? LocalDate.of(2099, 1, 1) : LocalDate.of(2025, 1, 1).plusDays(random.nextInt(200)));
    }

    /** Sub-delegation 97: no test of years. */
    private static String nss(int number) {
        String ten = String.format(Locale.ROOT, "97%08d", number);
        return ten + CheckDigits.ofNss(ten);
    }

    private static String curp(int number, Random random) {
        StringBuilder curp = new StringBuilder("XX");
        curp.append((char) ('A' + number / 26 % 26)).append((char) ('A' + number % 26));
        curp.append(String.format(
                Locale.ROOT, "%02d%02d%02d", 60 + random.nextInt(40), 1 + random.nextInt(12), 1 + random.nextInt(28)));
        curp.append("HMX".charAt(random.nextInt(3))).append("DF");
        for (int i = 0; i < 3; i++) {
            curp.append(CONSONANTS.charAt(random.nextInt(CONSONANTS.length())));
        }
        curp.append(random.nextInt(10));
        return curp.toString() + CheckDigits.ofCurp(curp.toString());
    }

    /** A request of that worker for an unemployment benefit, field by field as a caller sends it, but all as text. */
    public static Map<String, String> request(int number, String folio, String afore) {
        Worker worker = worker(number);
        Map<String, String> fields = new LinkedHashMap<>();
        CertificationRequest.FIELDS.forEach(field -> fields.put(field, ""));
        fields.put("folioTramiteProcesar", folio);
        fields.put("nss", worker.nss());
        fields.put("curp", worker.curp());
        fields.put("nombreTrabajador", worker.givenNames());
        fields.put("apellidoPaterno", worker.surname());
        fields.put("apellidoMaterno", worker.secondSurname());
        fields.put("tipoPrestacion", "06");
        fields.put("claveAdminActual", afore);
        fields.put("origen", "1");
        fields.put("idSolicitante", "01");
        fields.put("curpSolicitante", worker.curp());
        fields.put("selloTrabajador", Long.toString(Long.MAX_VALUE - number));
        fields.put("curpAgenteServicio", worker(number + 1).curp());
        fields.put("indicadorOrigenTramite", "01");
        return fields;
    }
}
