@NullMarked
package dev.turno.server.oidc;

import org.jspecify.annotations.NullMarked;
