/**
 * Every parser that reads what others wrote, fed by Jazzer. A target is a class beside its parser, in the package of the same name, with
 * the method that Jazzer looks for; it says which errors are named ones, and what has to hold.
 *
 * <p><b>Start at</b> {@link dev.turno.fuzz.Target}. The corpus is in {@code src/test/fuzz/NAME}; what was found once stays there.
 */
package dev.turno.fuzz;
