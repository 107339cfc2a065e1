@NullMarked
package dev.turno.harvester.store;

import org.jspecify.annotations.NullMarked;
