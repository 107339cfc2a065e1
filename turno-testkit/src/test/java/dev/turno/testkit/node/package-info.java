@NullMarked
package dev.turno.testkit.node;

import org.jspecify.annotations.NullMarked;
