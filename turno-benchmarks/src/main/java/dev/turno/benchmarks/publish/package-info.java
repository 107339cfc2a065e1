/** How fast records are judged by rules, and indexed. */
@NullMarked
package dev.turno.benchmarks.publish;

import org.jspecify.annotations.NullMarked;
