@NullMarked
package dev.turno.harvester.oai;

import org.jspecify.annotations.NullMarked;
