@NullMarked
package dev.turno.harvester.web;

import org.jspecify.annotations.NullMarked;
