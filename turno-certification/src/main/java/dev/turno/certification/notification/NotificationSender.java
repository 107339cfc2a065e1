package dev.turno.certification.notification;

import dev.turno.claim.Result;

/** Brings a notification to the AFORE. Called by several threads at once. Throwing means: try again later. */
@FunctionalInterface
public interface NotificationSender {

    /** @param id the same at every repetition */
    Result send(String id, String body) throws Exception;
}
