package dev.turno.harvester.rules;

import java.util.List;

/**
 * What a pipeline made of a record.
 *
 * @param valid whether it broke no mandatory rule
 * @param changed whether transformers changed it
 * @param findings one per rule of the pipeline, in the order of {@link Pipeline#ruleNames()}; those of the validator are missing
 *     if the record was turned away before it
 */
public record Judgement(boolean valid, boolean changed, Fields fields, List<Finding> findings) {}
