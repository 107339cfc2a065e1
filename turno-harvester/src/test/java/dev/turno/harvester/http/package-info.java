/** The harvester as an application, over real HTTP. */
@NullMarked
package dev.turno.harvester.http;

import org.jspecify.annotations.NullMarked;
