package dev.turno.certification.catalog;

import dev.turno.certification.sql.Sql;
import java.sql.Types;
import java.time.Duration;
import java.time.LocalDate;
import java.util.List;
import java.util.Optional;

/** Codes that are valid from one day to another, as data. Shared by threads; changes are noticed within ten seconds. */
public final class Catalogs {

    /** A code of a catalogue; an empty end: until further notice. */
    public record Code(String catalog, String code, String meaning, LocalDate from, Optional<LocalDate> to) {

        boolean isValid(LocalDate day) {
            return !day.isBefore(from) && to.map(last -> !day.isAfter(last)).orElse(true);
        }
    }

    private record Known(long nanos, List<Code> codes) {}

    private static final Duration FRESH = Duration.ofSeconds(10);

    private final Sql sql;
    private volatile Optional<Known> known = Optional.empty();

    public Catalogs(Sql sql) {
        this.sql = sql;
    }

    /** Whether the catalogue has the code on that day; one that has no code at all allows every one. */
    public boolean allows(String catalog, String code, LocalDate day) {
        List<Code> codes = of(catalog);
        return codes.isEmpty() || codes.stream().anyMatch(each -> each.code().equals(code) && each.isValid(day));
    }

    /** The code that is valid on that day, of a catalogue that has one at a time. */
    public Optional<String> only(String catalog, LocalDate day) {
        return of(catalog).stream()
                .filter(each -> each.isValid(day))
                .map(Code::code)
                .reduce((earlier, later) -> later);
    }

    /** Adds a code unless it is there. */
    public void add(Code code) {
        Sql.addOnce(sql.call("catalog.add")
                .param("catalog", code.catalog())
                .param("code", code.code())
                .param("meaning", code.meaning())
                .param("valid_from", code.from())
                .param("valid_to", code.to().orElse(null), Types.DATE));
        known = Optional.empty();
    }

    private List<Code> of(String catalog) {
        return known().codes().stream()
                .filter(code -> code.catalog().equals(catalog))
                .toList();
    }

    private Known known() {
        Optional<Known> seen = known;
        if (seen.isPresent() && System.nanoTime() - seen.get().nanos() < FRESH.toNanos()) {
            return seen.get();
        }
        Known fresh = new Known(System.nanoTime(), read());
        known = Optional.of(fresh);
        return fresh;
    }

    private List<Code> read() {
        return sql.call("catalog.all")
                .query((row, number) -> new Code(
                        row.getString("catalog"),
                        row.getString("code"),
                        "",
                        row.getObject("valid_from", LocalDate.class),
                        Optional.ofNullable(row.getObject("valid_to", LocalDate.class))))
                .list();
    }
}
