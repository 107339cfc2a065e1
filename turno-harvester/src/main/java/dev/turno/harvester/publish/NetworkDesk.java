package dev.turno.harvester.publish;

import dev.turno.action.Actions;
import dev.turno.action.Schedule;
import dev.turno.action.Subject;
import dev.turno.harvester.network.Network;
import dev.turno.harvester.network.Networks;
import dev.turno.harvester.network.StoredNetwork;
import dev.turno.harvester.rules.Purpose;
import dev.turno.harvester.rules.RuleSet;
import dev.turno.harvester.rules.RuleSets;
import dev.turno.run.SubmitOutcome;
import dev.turno.task.Cron;
import java.time.ZoneId;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

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
        check(network, List.of());
        StoredNetwork added = networks.add(network, who);
        keepSchedule(added);
        return added;
    }

    /**
     * Stores a network that was exported, with its rules; what has the same names gives way.
     *
     * @throws IllegalArgumentException if it, its schedule or one of its rules cannot be; nothing was stored
     */
    public StoredNetwork importWith(List<RuleSet> sets, Network network, String who) {
        check(network, sets);
        sets.forEach(set -> ruleSets.save(set, who));
        Optional<StoredNetwork> known = networks.find(network.acronym());
        return known.isPresent() ? change(known.get(), network, who) : add(network, who);
    }

    /** Changes a network; its acronym stays, because documents and people know it by that. */
    public StoredNetwork change(StoredNetwork known, Network network, String who) {
        if (!network.acronym().equals(known.network().acronym())) {
            throw new IllegalArgumentException("Network '" + known.network().acronym() + "' cannot become '"
                    + network.acronym() + "'. Nothing was changed; add another network instead.");
        }
        check(network, List.of());
        networks.change(known.id(), network, who);
        StoredNetwork changed = new StoredNetwork(known.id(), network);
        keepSchedule(changed);
        return changed;
    }

    /** Begins the removal of a network and of all it has: it is forgotten at the end of it. */
    public SubmitOutcome remove(StoredNetwork network) {
        actions.scheduler().unschedule(network.subject());
        stop(network);
        SubmitOutcome outcome = actions.executor().execute(NetworkActions.DELETE, subjectOf(network));
        if (outcome instanceof SubmitOutcome.Refused) {
            keepSchedule(network);
        }
        return outcome;
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

    /** @param coming rules that are stored together with it */
    private void check(Network network, List<RuleSet> coming) {
        network.schedule().ifPresent(NetworkDesk::readSchedule);
        for (Optional<String> validator : List.of(network.preValidator(), network.validator())) {
            validator.ifPresent(name -> require(name, Purpose.VALIDATION, coming));
        }
        for (Optional<String> transformer : List.of(network.transformer(), network.secondaryTransformer())) {
            transformer.ifPresent(name -> require(name, Purpose.TRANSFORMATION, coming));
        }
    }

    private void require(String name, Purpose purpose, List<RuleSet> coming) {
        RuleSet set = coming.stream()
                .filter(one -> one.name().equals(name))
                .findFirst()
                .or(() -> ruleSets.find(name))
                .orElseThrow(() -> new IllegalArgumentException("There is no set of rules '" + name
                        + "'. Nothing was stored; store the set first, or name another."));
        if (set.purpose() != purpose) {
            throw new IllegalArgumentException("The set of rules '" + name + "' is made for " + set.purpose()
                    + " and stands where one for " + purpose + " belongs. Nothing was stored; name another.");
        }
    }

    /** Throws if it cannot be read. */
    private static void readSchedule(String text) {
        Object unused = text.startsWith("P") ? Schedule.ofPeriod(text) : Cron.of(text, ZoneId.systemDefault());
    }
}
