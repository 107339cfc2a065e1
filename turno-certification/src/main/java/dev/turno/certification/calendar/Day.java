package dev.turno.certification.calendar;

import java.time.LocalDate;

/**
 * A day of a calendar.
 *
 * @param reason why it is closed, or why it differs from the rules; empty for a plain business day
 * @param reference where that is written, for a day that was loaded; else empty
 */
public record Day(CalendarSource source, LocalDate date, boolean open, String reason, String reference) {

    public static final int LONGEST_TEXT = 200;

    public Day {
        if (reason.length() > LONGEST_TEXT || reference.length() > LONGEST_TEXT) {
            throw new IllegalArgumentException("El motivo o la referencia del " + date + " tiene más de " + LONGEST_TEXT
                    + " caracteres. No se cambió nada.");
        }
        if ((reason + reference).chars().anyMatch(Character::isISOControl)) {
            throw new IllegalArgumentException(
                    "El motivo o la referencia del " + date + " tiene caracteres de control. No se cambió nada.");
        }
    }
}
