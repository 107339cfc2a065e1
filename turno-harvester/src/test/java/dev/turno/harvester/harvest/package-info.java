@NullMarked
package dev.turno.harvester.harvest;

import org.jspecify.annotations.NullMarked;
