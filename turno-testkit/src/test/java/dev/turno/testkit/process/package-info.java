@NullMarked
package dev.turno.testkit.process;

import org.jspecify.annotations.NullMarked;
