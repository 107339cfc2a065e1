@NullMarked
package dev.turno.harvester.sql;

import org.jspecify.annotations.NullMarked;
