@NullMarked
package dev.turno.harvester.network;

import org.jspecify.annotations.NullMarked;
