/**
 * Who may do what: one filter in front of every route.
 *
 * <p><b>What for:</b> nothing answers without a credential, except the few things that say so themselves. <b>Start at</b>
 * {@link dev.turno.web.security.Route}, which every endpoint carries, also those of other modules.
 *
 * <p><b>Promises:</b> a route without the annotation is for admins alone; tokens are stored as hashes and compared in constant time;
 * too many wrong ones lock their sender out; a change by an operator or admin is in the audit before it happens.
 *
 * <p><b>Does not</b> know people: a token has a name and a role.
 */
@NullMarked
package dev.turno.web.security;

import org.jspecify.annotations.NullMarked;
