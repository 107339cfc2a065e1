@NullMarked
package dev.turno.spring;

import org.jspecify.annotations.NullMarked;
