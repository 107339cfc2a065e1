@NullMarked
package dev.turno.testkit.chaos;

import org.jspecify.annotations.NullMarked;
