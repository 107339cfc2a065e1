/**
 * Named lists of jobs for subjects, run on demand or on a schedule.
 *
 * <p><b>What for:</b> an action says which jobs, in which order, and for which subjects: those on which one of its properties
 * is true, or always. <b>Start at</b> {@link dev.turno.action.Actions}: its registry holds the actions, its executor runs them,
 * its scheduler runs them by time.
 *
 * <p><b>Promises:</b> an action that names an unknown job is refused at start-up; the jobs of an action, and the actions of a
 * subject's schedule, are links of one chain: if one fails or is stopped, those behind it do not run until it is resumed; a
 * schedule's moment is used once, by one of the instances.
 *
 * <p><b>Does not</b> know where the subjects and their properties are kept: the application does.
 */
@NullMarked
package dev.turno.action;

import org.jspecify.annotations.NullMarked;
