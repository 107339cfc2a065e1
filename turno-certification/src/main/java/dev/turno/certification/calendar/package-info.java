/**
 * Business days of the authorities, in Mexico City.
 *
 * <p><b>Start at</b> {@link dev.turno.certification.calendar.Calendars}. <b>Promises:</b> a loaded day wins over the rules; "today" is
 * the database's moment in America/Mexico_City, whatever the zone of the machine. <b>Does not:</b> know of elections before somebody
 * loads them.
 */
@NullMarked
package dev.turno.certification.calendar;

import org.jspecify.annotations.NullMarked;
