/** Sample traffic for {@code turno up --demo}, and a second node in the same process. Nothing here runs otherwise. */
@NullMarked
package dev.turno.server.demo;

import org.jspecify.annotations.NullMarked;
