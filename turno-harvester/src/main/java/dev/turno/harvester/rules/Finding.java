package dev.turno.harvester.rules;

import java.util.List;

/** What a validator found in one record: whether the rule holds, and which values were good and bad. */
public record Finding(boolean holds, List<String> good, List<String> bad) {}
