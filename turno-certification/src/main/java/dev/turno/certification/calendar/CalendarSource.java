package dev.turno.certification.calendar;

import java.time.DayOfWeek;
import java.time.LocalDate;
import java.time.Month;
import java.time.temporal.TemporalAdjusters;
import java.util.Optional;

/** Whose calendar: the two authorities agree on most days, not on all. No holiday is moved when it falls on a weekend. */
public enum CalendarSource {
    /** The pension system's. */
    CONSAR,
    /** The banks'. */
    CNBV;

    private static final int CHANGE_OF_GOVERNMENT = 2024;
    private static final int TERM = 6;

    /** Why the rules close this day; empty if they do not. Elections and the like are overrides. */
    Optional<String> closedBecause(LocalDate day) {
        if (day.getDayOfWeek() == DayOfWeek.SATURDAY || day.getDayOfWeek() == DayOfWeek.SUNDAY) {
            return Optional.of("fin de semana");
        }
        return fixed(day).or(() -> moving(day)).or(() -> ofBanks(day));
    }

    private static Optional<String> fixed(LocalDate day) {
        return switch (day.getMonth()) {
            case JANUARY -> on(day, 1, "1 de enero");
            case MAY -> on(day, 1, "1 de mayo");
            case SEPTEMBER -> on(day, 16, "16 de septiembre");
            case OCTOBER -> changeOfGovernment(day);
            case DECEMBER -> on(day, 25, "25 de diciembre");
            default -> Optional.empty();
        };
    }

    private static Optional<String> on(LocalDate day, int number, String reason) {
        return day.getDayOfMonth() == number ? Optional.of(reason) : Optional.empty();
    }

    private static Optional<String> changeOfGovernment(LocalDate day) {
        boolean year = day.getYear() >= CHANGE_OF_GOVERNMENT && (day.getYear() - CHANGE_OF_GOVERNMENT) % TERM == 0;
        return year ? on(day, 1, "transmisión del Poder Ejecutivo Federal") : Optional.empty();
    }

    private static Optional<String> moving(LocalDate day) {
        if (isMonday(day, Month.FEBRUARY, 1)) {
            return Optional.of("conmemoración del 5 de febrero");
        } else if (isMonday(day, Month.MARCH, 3)) {
            return Optional.of("conmemoración del 21 de marzo");
        } else if (isMonday(day, Month.NOVEMBER, 3)) {
            return Optional.of("conmemoración del 20 de noviembre");
        }
        LocalDate easter = easter(day.getYear());
        return day.equals(easter.minusDays(3)) || day.equals(easter.minusDays(2))
                ? Optional.of("Semana Santa")
                : Optional.empty();
    }

    private static boolean isMonday(LocalDate day, Month month, int which) {
        return day.getMonth() == month
                && day.equals(day.with(TemporalAdjusters.dayOfWeekInMonth(which, DayOfWeek.MONDAY)));
    }

    private Optional<String> ofBanks(LocalDate day) {
        if (this != CNBV) {
            return Optional.empty();
        }
        return switch (day.getMonth()) {
            case NOVEMBER -> on(day, 2, "2 de noviembre");
            case DECEMBER -> on(day, 12, "día del empleado bancario");
            default -> Optional.empty();
        };
    }

    /** Easter Sunday of the Gregorian calendar, by the usual computation from the golden number and the epact. */
    static LocalDate easter(int year) {
        int golden = year % 19;
        int century = year / 100;
        int epact = (century - century / 4 - (8 * century + 13) / 25 + 19 * golden + 15) % 30;
        int moon = epact - (epact / 28) * (1 - (29 / (epact + 1)) * ((21 - golden) / 11));
        int weekday = (year + year / 4 + moon + 2 - century + century / 4) % 7;
        int offset = moon - weekday;
        int month = 3 + (offset + 40) / 44;
        return LocalDate.of(year, month, offset + 28 - 31 * (month / 4));
    }
}
