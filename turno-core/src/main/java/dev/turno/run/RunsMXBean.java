package dev.turno.run;

import java.util.List;
import java.util.Map;

/** Runs as JMX shows them. */
public interface RunsMXBean {

    /** How many runs are in which state, in the cluster, each counted up to 10,000. */
    Map<String, Integer> getCounts();

    /** Runs under way in the cluster, a line each, at most 1,000. */
    List<String> getRunning();

    /** Runs that wait, a line each, at most 1,000. */
    List<String> getQueued();

    int getMaxRunningPerNode();

    void setMaxRunningPerNode(int limit);

    int getMaxRunningPerCluster();

    void setMaxRunningPerCluster(int limit);

    int getMaxQueued();

    void setMaxQueued(int limit);

    /** Stops a run; answers what became of the wish, as in {@link StopOutcome}. */
    String stop(long run);

    /** Resumes a run that was stopped or failed; answers what became of it. */
    String resume(long run);

    /** Cancels a run that waits. */
    boolean cancel(long run);
}
