package dev.turno.harvester.publish;

import dev.turno.action.Actions;
import dev.turno.action.Schedule;
import dev.turno.action.Subject;
import dev.turno.harvester.network.Network;
import dev.turno.harvester.network.Networks;
import dev.turno.harvester.network.StoredNetwork;
import dev.turno.harvester.rules.RuleSets;
import dev.turno.run.SubmitOutcome;
import dev.turno.task.Cron;
import java.time.ZoneId;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Where people add networks, change them, run and stop their actions. Shared by threads. */
public final class NetworkDesk {

    private final Networks networks;
    private final RuleSets ruleSets;
    private final Actions actions;

    public NetworkDesk(Networks networks, RuleSets ruleSets, Actions actions) {
        this.networks = networks;
        this.ruleSets = ruleSets;
        this.actions = actions;
    }

    /**
     * Adds a network, and keeps its schedule from now on.
     *
     * @throws IllegalArgumentException if its acronym is taken, or its schedule or rules cannot be; nothing was stored
     */
    public StoredNetwork add(Network network, String who) {
        check(network);
        StoredNetwork added = networks.add(network, who);
        keepSchedule(added);
        return added;
    }

    /** Changes a network; its acronym stays, because documents and people know it by that. */
    public StoredNetwork change(StoredNetwork known, Network network, String who) {
        if (!network.acronym().equals(known.network().acronym())) {
            throw new IllegalArgumentException("Network '" + known.network().acronym() + "' cannot become '"
                    + network.acronym() + "'. Nothing was changed; add another network instead.");
        }
        check(network);
        networks.change(known.id(), network, who);
        StoredNetwork changed = new StoredNetwork(known.id(), network);
        keepSchedule(changed);
        return changed;
    }

    /** Begins the removal of a network and of all it has: it is forgotten at the end of it. */
    public SubmitOutcome remove(StoredNetwork network) {
        actions.scheduler().unschedule(network.subject());
        stop(network);
        return actions.executor().execute(NetworkActions.DELETE, subjectOf(network));
    }

    /** Runs one action, or all that apply on its schedule; incrementally if the action says so and nobody else. */
    public SubmitOutcome run(StoredNetwork network, Optional<String> action, Optional<Boolean> incremental) {
        Subject subject = subjectOf(network);
        if (action.isEmpty()) {
            return actions.executor().executeAll(subject).orElseThrow();
        }
        return incremental.isPresent()
                ? actions.executor().execute(action.get(), subject, incremental.get())
                : actions.executor().execute(action.get(), subject);
    }

    /** Stops what is under way and cancels what waits; answers how many runs. */
    public int stop(StoredNetwork network) {
        int cancelled = actions.executor().unqueue(network.subject());
        return cancelled + actions.executor().kill(network.subject());
    }

    /** What actions see of a network. */
    public static Subject subjectOf(StoredNetwork network) {
        return new Subject(
                network.subject(),
                network.network().properties().stream().collect(Collectors.toMap(Enum::name, property -> true)));
    }

    private void keepSchedule(StoredNetwork network) {
        Optional<String> schedule = network.network().schedule();
        if (schedule.isPresent()) {
            var unused = actions.scheduler().schedule(network.subject(), schedule.get());
        } else {
            actions.scheduler().unschedule(network.subject());
        }
    }

    private void check(Network network) {
        network.schedule().ifPresent(NetworkDesk::readSchedule);
        Stream.of(network.preValidator(), network.validator(), network.transformer(), network.secondaryTransformer())
                .flatMap(Optional::stream)
                .filter(name -> ruleSets.find(name).isEmpty())
                .findFirst()
                .ifPresent(name -> {
                    throw new IllegalArgumentException("There is no set of rules '" + name
                            + "'. Nothing was stored; store the set first, or name another.");
                });
    }

    /** Throws if it cannot be read. */
    private static void readSchedule(String text) {
        Object unused = text.startsWith("P") ? Schedule.ofPeriod(text) : Cron.of(text, ZoneId.systemDefault());
    }
}
