package dev.turno.certification.authority;

import dev.turno.certification.authority.WorkerTable.Seen;
import dev.turno.certification.catalog.Catalogs;
import dev.turno.certification.sql.Sql;
import dev.turno.certification.wire.Answer;
import dev.turno.certification.wire.CertificationRequest;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.time.LocalDate;
import java.time.format.DateTimeFormatter;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;

/** Decides by rules over the table of workers and resolutions. The codes of its refusals are this service's own. Shared by threads. */
public final class EmbeddedAuthority implements CertificationAuthority.Inside {

    /** Why a request is refused. */
    enum Rule {
        UNKNOWN_WORKER("911"),
        OTHER_PERSON("912"),
        NOT_UNEMPLOYED_LONG_ENOUGH("913"),
        TOO_SOON_AFTER_THE_LAST("914"),
        TOO_FEW_CONTRIBUTIONS("915"),
        NOT_MARRIED("916");

        final String code;

        Rule(String code) {
            this.code = code;
        }
    }

    /** The amounts of the two modes of an unemployment benefit, empty if the worker does not qualify; that of a marriage stands in a. */
    record Amounts(Optional<BigDecimal> a, Optional<BigDecimal> b) {

        boolean isNone() {
            return a.isEmpty() && b.isEmpty();
        }

        /** What is certified: mode B where there is a right to it. */
        BigDecimal best() {
            return b.or(() -> a).orElse(BigDecimal.ZERO);
        }
    }

    public static final String CAP_OF_MODE_A = "topeModalidadA";
    private static final String ACCEPTED = "400";
    private static final String MARRIAGE = "07";
    private static final int DAYS_UNEMPLOYED = 46;
    private static final int YEARS_BETWEEN = 5;
    private static final int WEEKS_FOR_MODE_A = 104;
    private static final int WEEKS_FOR_MARRIAGE = 150;
    private static final int DAYS_VALID = 30;
    private static final BigDecimal SHARE_OF_BALANCE = new BigDecimal("0.115");
    private static final DateTimeFormatter DATE = DateTimeFormatter.ofPattern("yyyy/MM/dd");

    private final WorkerTable workers;
    private final Catalogs catalogs;

    public EmbeddedAuthority(Sql sql, Catalogs catalogs) {
        this.workers = new WorkerTable(sql);
        this.catalogs = catalogs;
    }

    /** Adds generated people if there is nobody yet, so that something can be certified. */
    public void populate(int people) {
        if (people > 0 && workers.isEmpty()) {
            workers.addAll(
                    IntStream.range(0, people).mapToObj(SampleWorkers::worker).toList());
        }
    }

    @Override
    public Answer decide(CertificationRequest request, String id, LocalDate today) {
        Proposal proposal = proposed(request, id, today);
        proposal.resolution().ifPresent(resolution -> workers.resolve(id, request, resolution));
        return proposal.answer();
    }

    @Override
    public Optional<Proposal> propose(CertificationRequest request, String id, LocalDate today) {
        return Optional.of(proposed(request, id, today));
    }

    private Proposal proposed(CertificationRequest request, String id, LocalDate today) {
        Optional<Seen> found = workers.find(request.nss(), request.tipoPrestacion());
        if (found.isEmpty()) {
            return refused(Rule.UNKNOWN_WORKER, request);
        }
        Optional<Rule> broken = broken(request, found.get(), today);
        if (broken.isPresent()) {
            return refused(broken.get(), request);
        }
        Worker worker = found.get().worker();
        Amounts amounts = amounts(request, worker, today);
        return new Proposal(
                accepted(request, worker, amounts, id, today), Optional.of(new Resolution(today, amounts.best())));
    }

    private static Proposal refused(Rule rule, CertificationRequest request) {
        return new Proposal(Answer.rejected(rule.code, request.tipoPrestacion()), Optional.empty());
    }

    private Optional<Rule> broken(CertificationRequest request, Seen seen, LocalDate today) {
        Worker worker = seen.worker();
        if (!worker.curp().equals(request.curp())) {
            return Optional.of(Rule.OTHER_PERSON);
        }
        return request.tipoPrestacion().equals(MARRIAGE)
                ? brokenForMarriage(seen)
                : brokenForUnemployment(request, seen, today);
    }

    private Optional<Rule> brokenForUnemployment(CertificationRequest request, Seen seen, LocalDate today) {
        Worker worker = seen.worker();
        boolean longEnough = worker.leftOn()
                .map(left -> !left.plusDays(DAYS_UNEMPLOYED).isAfter(today))
                .orElse(false);
        if (!longEnough) {
            return Optional.of(Rule.NOT_UNEMPLOYED_LONG_ENOUGH);
        }
        if (seen.resolvedOn()
                .map(last -> last.plusYears(YEARS_BETWEEN).isAfter(today))
                .orElse(false)) {
            return Optional.of(Rule.TOO_SOON_AFTER_THE_LAST);
        }
        return amounts(request, worker, today).isNone() ? Optional.of(Rule.TOO_FEW_CONTRIBUTIONS) : Optional.empty();
    }

    /** Once in a life. */
    private static Optional<Rule> brokenForMarriage(Seen seen) {
        if (seen.worker().marriedOn().isEmpty()) {
            return Optional.of(Rule.NOT_MARRIED);
        } else if (seen.resolvedOn().isPresent()) {
            return Optional.of(Rule.TOO_SOON_AFTER_THE_LAST);
        }
        return seen.worker().weeks() < WEEKS_FOR_MARRIAGE ? Optional.of(Rule.TOO_FEW_CONTRIBUTIONS) : Optional.empty();
    }

    private Amounts amounts(CertificationRequest request, Worker worker, LocalDate today) {
        if (request.tipoPrestacion().equals(MARRIAGE)) {
            return new Amounts(Optional.of(days(worker.lastWage(), 30)), Optional.empty());
        }
        boolean a = !worker.openedOn().plusYears(3).isAfter(today) && worker.weeks() >= WEEKS_FOR_MODE_A;
        boolean b = !worker.openedOn().plusYears(5).isAfter(today);
        return new Amounts(
                a ? Optional.of(capped(days(worker.lastWage(), 30), today)) : Optional.empty(),
                b ? Optional.of(ofModeB(worker)) : Optional.empty());
    }

    /** Thirty days of the last wage, up to a cap that is fixed anew each year. */
    private BigDecimal capped(BigDecimal amount, LocalDate today) {
        return catalogs.only(CAP_OF_MODE_A, today)
                .map(BigDecimal::new)
                .map(amount::min)
                .orElse(amount);
    }

    /** The lesser of ninety days of the mean wage and a share of the balance. */
    private static BigDecimal ofModeB(Worker worker) {
        BigDecimal share = worker.balance().multiply(SHARE_OF_BALANCE).setScale(2, RoundingMode.HALF_EVEN);
        return days(worker.meanWage(), 90).min(share);
    }

    private static BigDecimal days(BigDecimal daily, int days) {
        return daily.multiply(BigDecimal.valueOf(days)).setScale(2, RoundingMode.HALF_EVEN);
    }

    private static Answer accepted(
            CertificationRequest request, Worker worker, Amounts amounts, String id, LocalDate today) {
        Map<String, String> fields = new LinkedHashMap<>(request.fields());
        fields.put("resultadoOperacion", Answer.ACCEPTED);
        fields.put("diagnosticoProcesar", ACCEPTED);
        fields.put("nombreTrabajadorImss", worker.fullName());
        fields.put(
                "fechaMatrimonioDesempleo",
                (request.tipoPrestacion().equals(MARRIAGE) ? worker.marriedOn() : worker.leftOn())
                        .map(DATE::format)
                        .orElse(""));
        fields.put("fechaNotificacionImss", DATE.format(today));
        fields.put("fechaConclusionVigencia", DATE.format(today.plusDays(DAYS_VALID)));
        fields.put("numeroResolucion", id.substring(0, 12).toUpperCase(java.util.Locale.ROOT));
        fields.put("sbcTipoA", amounts.a().map(BigDecimal::toPlainString).orElse(""));
        fields.put("sbcTipoB", amounts.b().map(BigDecimal::toPlainString).orElse(""));
        fields.put("delegacion", worker.delegation());
        fields.put("subdelegacion", worker.subdelegation());
        fields.put("umf", worker.clinic());
        fields.put("fechaPrestTramite", DATE.format(today));
        fields.put("fechaBajaTrabajador", worker.leftOn().map(DATE::format).orElse(""));
        fields.put("numeroConsecutivoProcesar", "1");
        fields.put("totalResolucionesProcesar", "1");
        return new Answer(fields);
    }
}
