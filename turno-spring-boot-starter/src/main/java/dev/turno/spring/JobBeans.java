package dev.turno.spring;

import dev.turno.Turno;
import dev.turno.action.Action;
import dev.turno.action.Actions;
import dev.turno.run.Job;
import dev.turno.run.Runs;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;

/** Adds the application's jobs to the runs, and makes actions of them as annotations, beans and properties say. */
final class JobBeans implements TurnoWork, SmartInitializingSingleton {

    private final ConfigurableListableBeanFactory beans;
    private final TurnoProperties properties;
    private final Runs runs;
    private final Actions actions;
    private final List<String> jobs;

    JobBeans(ConfigurableListableBeanFactory beans, TurnoProperties properties, Runs runs, Actions actions) {
        this.beans = beans;
        this.properties = properties;
        this.runs = runs;
        this.actions = actions;
        this.jobs = List.of(beans.getBeanNamesForType(Job.class));
    }

    @Override
    public void afterSingletonsInstantiated() {
        try {
            addJobs().forEach((mark, names) -> actions.registry().add(action(mark, names)));
            beans.getBeanProvider(Action.class).orderedStream().forEach(actions.registry()::add);
            properties.actions().forEach((name, action) -> actions.registry().add(action.named(name)));
        } catch (IllegalArgumentException e) {
            throw new StartException(
                    String.valueOf(e.getMessage()),
                    "Correct the Job beans, the @WorkerAction annotations, or the properties under 'turno.actions'.",
                    e);
        }
    }

    /** The jobs of each annotated action, in the order in which their beans are defined. */
    private Map<WorkerAction, List<String>> addJobs() {
        Map<String, WorkerAction> marks = new LinkedHashMap<>();
        Map<WorkerAction, List<String>> marked = new LinkedHashMap<>();
        for (String bean : jobs) {
            Job<?> job = beans.getBean(bean, Job.class);
            runs.add(job);
            WorkerAction mark = beans.findAnnotationOnBean(bean, WorkerAction.class);
            if (mark != null) {
                marks.putIfAbsent(mark.value(), mark);
                marked.computeIfAbsent(marks.getOrDefault(mark.value(), mark), key -> new ArrayList<>())
                        .add(job.name());
            }
        }
        return marked;
    }

    private static Action action(WorkerAction mark, List<String> jobs) {
        return Action.of(mark.value(), action -> {
            action.description(mark.description()).incremental(mark.incremental());
            jobs.forEach(action::job);
            List.of(mark.properties()).forEach(property -> action.property(property, ""));
            if (mark.runOnSchedule()) {
                action.runOnSchedule();
            }
            if (mark.alwaysRunOnSchedule()) {
                action.alwaysRunOnSchedule();
            }
        });
    }

    @Override
    public void begin(Turno turno) {
        if (!jobs.isEmpty()) {
            turno.work(runs);
            turno.work(actions);
        }
    }
}
