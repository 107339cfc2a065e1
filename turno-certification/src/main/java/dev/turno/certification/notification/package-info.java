/**
 * How AFOREs are told.
 *
 * <p><b>Start at</b> {@link dev.turno.certification.notification.Notifications}. <b>Promises:</b> written with the answer, or not at
 * all; sent at least once, with the same id at each repetition; a receiver that fails never spoils an answer.
 */
@NullMarked
package dev.turno.certification.notification;

import org.jspecify.annotations.NullMarked;
