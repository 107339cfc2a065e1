/**
 * A real OAI-PMH provider with invented records, for demonstrations and tests, which can be told to misbehave in all the ways that sources
 * are known to. <b>Start at</b> {@link dev.turno.harvester.demo.DemoProvider}.
 */
@NullMarked
package dev.turno.harvester.demo;

import org.jspecify.annotations.NullMarked;
