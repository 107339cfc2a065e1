/** What every database must do alike: the engine's and the features' promises, one sentence to a test. */
@NullMarked
package dev.turno.contract;

import org.jspecify.annotations.NullMarked;
