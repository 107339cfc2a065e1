package dev.turno.run;

import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * What a run does: {@code Job.of("index", Source.query(...), Step.each(...), j -> j.lane("frontend"))}. Valid from birth,
 * shared by threads.
 *
 * @param lanes names under which at most one run is under way in the cluster, of this or any other job
 * @param policy what happens when an item fails
 * @param keyOf names an item, in errors and in the list of parked items, where it has at most 4,000 characters and no NUL: an item
 *     with another key is not parked, the run fails
 * @param reload finds an item by its key, for the revival of parked items
 * @param beforeRun at each taking, before the first page
 * @param afterRun after the last page, before the run is DONE; not if it was stopped or failed
 * @param beforePage in the page's transaction, before its items
 * @param afterPage in the page's transaction, after its items
 */
public record Job<I>(
        String name,
        Source<I> source,
        Step<I> step,
        int pageSize,
        Set<String> lanes,
        ItemPolicy policy,
        Function<I, String> keyOf,
        Optional<Function<String, Optional<I>>> reload,
        Hook<RunTurn> beforeRun,
        Hook<RunTurn> afterRun,
        Hook<PageTurn> beforePage,
        Hook<PageTurn> afterPage) {

    public static final int LARGEST_PAGE = 100_000;

    public Job {
        Names.require("name of a job", name, Names.LONGEST_JOB);
        lanes.forEach(lane -> Names.require("name of a lane", lane, Names.LONGEST_LANE));
        lanes = Set.copyOf(lanes);
        if (pageSize < 1 || pageSize > LARGEST_PAGE) {
            throw new IllegalArgumentException(
                    "The page size of job '" + name + "' is " + pageSize + "; use 1 to " + LARGEST_PAGE + " items.");
        }
    }

    public static <I> Job<I> of(String name, Source<I> source, Step<I> step) {
        return of(name, source, step, choices -> {});
    }

    public static <I> Job<I> of(String name, Source<I> source, Step<I> step, Consumer<Builder<I>> choices) {
        Builder<I> builder = new Builder<>();
        choices.accept(builder);
        return builder.build(name, source, step);
    }

    /** Collects choices; everything left out keeps its default. Not shared by threads. */
    public static final class Builder<I> {

        private int pageSize = 100;
        private final Set<String> lanes = new TreeSet<>();
        private ItemPolicy policy = ItemPolicy.fail();
        private Function<I, String> keyOf = String::valueOf;
        private Optional<Function<String, Optional<I>>> reload = Optional.empty();
        private Hook<RunTurn> beforeRun = Hook.none();
        private Hook<RunTurn> afterRun = Hook.none();
        private Hook<PageTurn> beforePage = Hook.none();
        private Hook<PageTurn> afterPage = Hook.none();

        private Builder() {}

        public Builder<I> pageSize(int wished) {
            pageSize = wished;
            return this;
        }

        public Builder<I> lane(String lane) {
            lanes.add(lane);
            return this;
        }

        public Builder<I> onFailure(ItemPolicy wished) {
            policy = wished;
            return this;
        }

        public Builder<I> key(Function<I, String> wished) {
            keyOf = wished;
            return this;
        }

        public Builder<I> reload(Function<String, Optional<I>> wished) {
            reload = Optional.of(wished);
            return this;
        }

        /** Called again: after what was given before. */
        public Builder<I> beforeRun(Hook<RunTurn> hook) {
            beforeRun = beforeRun.and(hook);
            return this;
        }

        public Builder<I> afterRun(Hook<RunTurn> hook) {
            afterRun = afterRun.and(hook);
            return this;
        }

        public Builder<I> beforePage(Hook<PageTurn> hook) {
            beforePage = beforePage.and(hook);
            return this;
        }

        public Builder<I> afterPage(Hook<PageTurn> hook) {
            afterPage = afterPage.and(hook);
            return this;
        }

        private Job<I> build(String name, Source<I> source, Step<I> step) {
            return new Job<>(
                    name,
                    source,
                    step,
                    pageSize,
                    lanes,
                    policy,
                    keyOf,
                    reload,
                    beforeRun,
                    afterRun,
                    beforePage,
                    afterPage);
        }
    }
}
