package dev.turno.action;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/**
 * A named list of jobs: {@code Action.of("HARVESTING_ACTION", a -> a.job("harvest").incremental(true).alwaysRunOnSchedule())}.
 *
 * @param description for people
 * @param jobs in the order in which they run, each when the one before it is DONE
 * @param properties on a schedule it runs on subjects for which one of these is true
 * @param incremental whether its jobs are asked to look only at what is new
 * @param runOnSchedule whether it runs on a subject's schedule at all
 * @param alwaysRunOnSchedule whether it runs on a schedule whatever the properties say
 */
public record Action(
        String name,
        String description,
        List<String> jobs,
        List<ActionProperty> properties,
        boolean incremental,
        boolean runOnSchedule,
        boolean alwaysRunOnSchedule) {

    public Action {
        if (name.isBlank() || name.length() > 100) {
            throw new IllegalArgumentException(
                    "The name of an action is '" + name + "'; use 1 to 100 characters, not all blank.");
        }
        if (jobs.isEmpty() || jobs.size() > 50) {
            throw new IllegalArgumentException("Action '" + name + "' has " + jobs.size() + " jobs; give it 1 to 50.");
        }
        jobs = List.copyOf(jobs);
        properties = List.copyOf(properties);
    }

    public static Action of(String name, Consumer<Builder> choices) {
        Builder builder = new Builder();
        choices.accept(builder);
        return builder.build(name);
    }

    /** True if it runs on the schedule of this subject. */
    public boolean appliesOnScheduleTo(Subject subject) {
        return runOnSchedule
                && (alwaysRunOnSchedule || properties.stream().anyMatch(property -> subject.has(property.name())));
    }

    /** Collects choices; everything left out keeps its default. Not shared by threads. */
    public static final class Builder {

        private String description = "";
        private final List<String> jobs = new ArrayList<>();
        private final List<ActionProperty> properties = new ArrayList<>();
        private boolean incremental;
        private boolean runOnSchedule;
        private boolean alwaysRunOnSchedule;

        private Builder() {}

        public Builder description(String wished) {
            description = wished;
            return this;
        }

        /** One more job, after those given before. */
        public Builder job(String job) {
            jobs.add(job);
            return this;
        }

        public Builder property(String name, String what) {
            properties.add(new ActionProperty(name, what));
            return this;
        }

        public Builder incremental(boolean wished) {
            incremental = wished;
            return this;
        }

        public Builder runOnSchedule() {
            runOnSchedule = true;
            return this;
        }

        public Builder alwaysRunOnSchedule() {
            runOnSchedule = true;
            alwaysRunOnSchedule = true;
            return this;
        }

        private Action build(String name) {
            return new Action(name, description, jobs, properties, incremental, runOnSchedule, alwaysRunOnSchedule);
        }
    }
}
