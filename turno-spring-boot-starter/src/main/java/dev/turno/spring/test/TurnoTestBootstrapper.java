package dev.turno.spring.test;

import org.springframework.boot.test.autoconfigure.TestSliceTestContextBootstrapper;

/** Reads the properties of {@link TurnoTest}. */
final class TurnoTestBootstrapper extends TestSliceTestContextBootstrapper<TurnoTest> {}
