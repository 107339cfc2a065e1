@NullMarked
package dev.turno.examples.spark;

import org.jspecify.annotations.NullMarked;
