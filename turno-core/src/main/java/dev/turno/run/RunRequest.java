package dev.turno.run;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * A run to be submitted: {@code RunRequest.of("harvest").on("NETWORK::7").incrementally()}.
 *
 * @param job the name of a job that was added to {@link Runs}
 * @param action the action that it belongs to, for people
 * @param subject what it works on; at most one run of a subject is under way in the cluster
 * @param lanes further names under which at most one run is under way, besides those of the job itself
 * @param incremental whether the job is asked to look only at what is new
 * @param parameters small texts for the job
 * @param delay how long to wait at least
 * @param then the jobs that follow on the same subject, each submitted when the one before it is DONE; if one fails or is
 *     stopped the chain waits there until that run is resumed
 */
public record RunRequest(
        String job,
        Optional<String> action,
        Optional<String> subject,
        Set<String> lanes,
        boolean incremental,
        Map<String, String> parameters,
        Duration delay,
        List<Next> then) {

    /** A later link of a chain. */
    public record Next(String job, Optional<String> action, boolean incremental) {
        public Next {
            Names.require("name of a job", job, Names.LONGEST_JOB);
            action.ifPresent(name -> Names.require("name of an action", name, Names.LONGEST_JOB));
        }
    }

    public static final int MOST_LANES = 50;
    public static final int MOST_LINKS = 100;

    public RunRequest {
        Names.require("name of a job", job, Names.LONGEST_JOB);
        action.ifPresent(name -> Names.require("name of an action", name, Names.LONGEST_JOB));
        subject.ifPresent(name -> Names.require("subject", name, Names.LONGEST_LANE));
        lanes.forEach(lane -> Names.require("name of a lane", lane, Names.LONGEST_LANE));
        parameters.keySet().forEach(name -> Names.require("name of a parameter", name, Names.LONGEST_LANE));
        if (lanes.size() > MOST_LANES || then.size() > MOST_LINKS) {
            throw new IllegalArgumentException("A run has at most " + MOST_LANES + " lanes and " + MOST_LINKS
                    + " links in its chain, not " + lanes.size() + " and " + then.size() + ".");
        }
        if (delay.isNegative() || delay.compareTo(Duration.ofDays(36_500)) > 0) {
            throw new IllegalArgumentException("The delay is " + delay + "; use zero to 100 years.");
        }
        lanes = Set.copyOf(lanes);
        parameters = Map.copyOf(parameters);
        then = List.copyOf(then);
    }

    public static RunRequest of(String job) {
        return new RunRequest(
                job, Optional.empty(), Optional.empty(), Set.of(), false, Map.of(), Duration.ZERO, List.of());
    }

    public RunRequest on(String wished) {
        return new RunRequest(job, action, Optional.of(wished), lanes, incremental, parameters, delay, then);
    }

    public RunRequest inLane(String lane) {
        Set<String> all = new TreeSet<>(lanes);
        all.add(lane);
        return new RunRequest(job, action, subject, all, incremental, parameters, delay, then);
    }

    public RunRequest incrementally() {
        return incrementally(true);
    }

    public RunRequest incrementally(boolean wished) {
        return new RunRequest(job, action, subject, lanes, wished, parameters, delay, then);
    }

    public RunRequest with(String parameter, String value) {
        Map<String, String> all = new TreeMap<>(parameters);
        all.put(parameter, value);
        return new RunRequest(job, action, subject, lanes, incremental, all, delay, then);
    }

    public RunRequest after(Duration wished) {
        return new RunRequest(job, action, subject, lanes, incremental, parameters, wished, then);
    }

    public RunRequest partOf(String wished) {
        return new RunRequest(job, Optional.of(wished), subject, lanes, incremental, parameters, delay, then);
    }

    /** Followed by this job when everything before it is DONE. */
    public RunRequest then(String next) {
        return then(new Next(next, action, incremental));
    }

    public RunRequest then(Next next) {
        List<Next> all = new ArrayList<>(then);
        all.add(next);
        return new RunRequest(job, action, subject, lanes, incremental, parameters, delay, all);
    }
}
