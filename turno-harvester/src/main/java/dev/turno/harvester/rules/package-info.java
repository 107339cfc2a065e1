/**
 * Rules over the fields of a record: validators judge it, transformers change it.
 *
 * <p><b>What for:</b> rules are data. A {@link dev.turno.harvester.rules.RuleSet} is imported and exported as JSON, and {@link
 * dev.turno.harvester.rules.Kinds} tells which kinds there are and what a form for each must ask. <b>Start at</b> {@link
 * dev.turno.harvester.rules.Pipeline}: it turns sets of rules into a judge of records.
 *
 * <p><b>Promises:</b> a set that was compiled never fails on a record: a value that no rule can cope with, such as one that a
 * regular expression would chew on for ever, is invalid and nothing worse. Compiled rules are immutable and shared by threads.
 *
 * <p><b>Does not</b> ask the network: whether a URL exists is found out by a job of its own and looked up here.
 */
@NullMarked
package dev.turno.harvester.rules;

import org.jspecify.annotations.NullMarked;
