@NullMarked
package dev.turno.testkit.database;

import org.jspecify.annotations.NullMarked;
