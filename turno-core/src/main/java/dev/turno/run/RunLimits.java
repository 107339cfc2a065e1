package dev.turno.run;

/** How much may run and wait. {@code perNode} is this process's own; the others hold for the cluster. */
public record RunLimits(int perNode, int perCluster, int maxQueued, boolean paused) {}
