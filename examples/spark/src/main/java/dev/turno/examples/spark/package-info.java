/**
 * The record store on Spark, for aggregators that outgrow one machine: the same rules, on as many machines as there are.
 *
 * <p><b>Start at</b> {@link dev.turno.examples.spark.ValidateOnSpark}.
 */
@NullMarked
package dev.turno.examples.spark;

import org.jspecify.annotations.NullMarked;
