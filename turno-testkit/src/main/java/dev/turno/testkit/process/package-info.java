/**
 * Other processes, and how to be cruel to them.
 *
 * <p><b>What for.</b> A claim must survive the death of its holder, and a frozen holder must not wake up and write. Only a real
 * process can be killed and frozen, so the tests of such promises start some.
 *
 * <p><b>Where to start.</b> {@link dev.turno.testkit.process.ChildProcess#start ChildProcess.start(Node.class, url)} runs a main
 * class in a JVM of its own; {@code awaitLine}, {@code send}, {@code kill9}, {@code stop} and {@code cont} do what they say.
 * {@link dev.turno.testkit.process.Launch} has the rarer choices. A main class calls
 * {@link dev.turno.testkit.process.ParentWatch#exitWithParent} first.
 *
 * <p><b>What it promises.</b> Nothing outlives the test JVM, not even when that is killed with -9: see
 * {@link dev.turno.testkit.process.RunDirectory}.
 *
 * <p><b>What it does not do.</b> Windows: there is no SIGSTOP and no {@code sh}.
 */
@NullMarked
package dev.turno.testkit.process;

import org.jspecify.annotations.NullMarked;
