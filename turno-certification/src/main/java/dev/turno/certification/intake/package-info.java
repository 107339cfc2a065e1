/**
 * From a checked request to an outcome, once.
 *
 * <p><b>What for:</b> callers repeat themselves, at once and days later; instances die between asking and storing. <b>Start at</b>
 * {@link dev.turno.certification.intake.Intake}. <b>Promises:</b> the same request is executed once and answered the same for seven
 * days; at most one request per worker and benefit is under way; what was sent to an authority outside and not answered is never sent
 * again before that authority has told what became of it; answer and notification commit together. <b>Does not:</b> lock anything by
 * itself: all exclusion is Turno's locks.
 */
@NullMarked
package dev.turno.certification.intake;

import org.jspecify.annotations.NullMarked;
