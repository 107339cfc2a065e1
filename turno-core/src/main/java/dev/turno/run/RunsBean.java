package dev.turno.run;

import java.lang.management.ManagementFactory;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import javax.management.JMException;
import javax.management.ObjectName;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Runs in JMX, under {@code dev.turno:type=Runs,namespace=...,node=...,id=...}. Gone when closed. */
public final class RunsBean implements RunsMXBean, AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(RunsBean.class);

    private final Runs runs;
    private final Optional<ObjectName> name;

    private RunsBean(Runs runs, Optional<ObjectName> name) {
        this.runs = runs;
        this.name = name;
    }

    /** Registers them. An application server that refuses is told in the log and nowhere else: runs do not need JMX. */
    public static RunsBean register(Runs runs, String namespace, String node, String id) {
        try {
            ObjectName name = new ObjectName("dev.turno:type=Runs,namespace=" + ObjectName.quote(namespace) + ",node="
                    + ObjectName.quote(node) + ",id=" + id);
            RunsBean bean = new RunsBean(runs, Optional.of(name));
            ManagementFactory.getPlatformMBeanServer().registerMBean(bean, name);
            return bean;
        } catch (JMException e) {
            LOG.warn("Runs are not shown in JMX, but work: {}", e.toString());
            return new RunsBean(runs, Optional.empty());
        }
    }

    @Override
    public Map<String, Integer> getCounts() {
        RunCounts counts = runs.counts();
        Map<String, Integer> all = new TreeMap<>();
        all.put("PENDING", counts.pending());
        all.put("PARKED", counts.parked());
        all.put("DOING", counts.doing());
        all.put("DONE", counts.done());
        all.put("STOPPED", counts.stopped());
        all.put("DEAD", counts.dead());
        all.put("CANCELLED", counts.cancelled());
        return all;
    }

    @Override
    public List<String> getRunning() {
        return list(RunState.DOING);
    }

    @Override
    public List<String> getQueued() {
        return list(RunState.PENDING);
    }

    private List<String> list(RunState state) {
        return runs.list(state, Optional.empty(), Runs.LONGEST_PAGE).items().stream()
                .map(RunsBean::line)
                .toList();
    }

    private static String line(StoredRun run) {
        Progress progress = run.progress();
        return run.id() + " " + run.job()
                + run.subject().map(subject -> " on " + subject).orElse("")
                + run.node().map(node -> " at " + node).orElse("") + ", " + progress.completed()
                + progress.total().map(total -> " of " + total).orElse("") + " items"
                + progress.estimatedEnd().map(end -> ", until about " + end).orElse("");
    }

    @Override
    public int getMaxRunningPerNode() {
        return runs.limits().perNode();
    }

    @Override
    public void setMaxRunningPerNode(int limit) {
        runs.limitPerNode(limit);
    }

    @Override
    public int getMaxRunningPerCluster() {
        return runs.limits().perCluster();
    }

    @Override
    public void setMaxRunningPerCluster(int limit) {
        runs.limitPerCluster(limit);
    }

    @Override
    public int getMaxQueued() {
        return runs.limits().maxQueued();
    }

    @Override
    public void setMaxQueued(int limit) {
        runs.limitQueued(limit);
    }

    @Override
    public String stop(long run) {
        return runs.stop(run).name();
    }

    @Override
    public String resume(long run) {
        return runs.resume(run).toString();
    }

    @Override
    public boolean cancel(long run) {
        return runs.cancel(run);
    }

    @Override
    public void close() {
        try {
            if (name.isPresent()) {
                ManagementFactory.getPlatformMBeanServer().unregisterMBean(name.get());
            }
        } catch (JMException e) {
            LOG.debug("Runs were not shown in JMX any more: {}", e.toString());
        }
    }
}
