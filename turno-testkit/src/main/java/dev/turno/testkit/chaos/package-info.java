/**
 * An application's processes and their database, and everything that can happen to them.
 *
 * <p><b>What for.</b> Whether a handler keeps its promises shows when its process is killed, frozen or cut off in the middle of it.
 * This does that to the handlers of your own application, as often as you like, and the same again with the same seed.
 *
 * <p><b>Where to start.</b> {@link dev.turno.testkit.chaos.Chaos#of Chaos.of(database, Node.class)}, where {@code Node} is a main class
 * that begins with {@link dev.turno.testkit.chaos.ChaosNode#start}.
 *
 * <p><b>What it promises.</b> The same seed on the same kind of database is the same schedule of {@link dev.turno.testkit.chaos.Fault
 * faults}; what happens in between is up to the machine. Dead processes are started again, and nothing outlives the test.
 *
 * <p><b>What it does not do.</b> Power loss: a killed database has handed its writes to the kernel.
 */
@NullMarked
package dev.turno.testkit.chaos;

import org.jspecify.annotations.NullMarked;
