package dev.turno.testkit.chaos;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.SplittableRandom;

/** What happens next: the same from the same seed, whatever time has done meanwhile. Not shared by threads. */
final class Dice {

    private final SplittableRandom random;
    private final List<Fault> faults = new ArrayList<>();
    private final int nodes;
    private final Duration lease;
    private final int longOnes;
    private final Duration beyond;

    /**
     * @param longOnes one of so many outlasts the lease, if it can
     * @param beyond by how much at most
     */
    Dice(long seed, Collection<Fault> possible, int nodes, Duration lease, int longOnes, Duration beyond) {
        this.random = new SplittableRandom(seed);
        this.nodes = nodes;
        this.lease = lease;
        this.longOnes = longOnes;
        this.beyond = beyond;
        for (Fault fault : Fault.values()) {
            for (int i = 0; i < fault.weight() && possible.contains(fault); i++) {
                faults.add(fault);
            }
        }
    }

    /** Always the same number of throws, so that one fault does not change those after it. */
    Misfortune next() {
        Fault fault = faults.get(random.nextInt(faults.size()));
        int victim = random.nextInt(nodes);
        Duration shortly = Duration.ofMillis(random.nextLong(50, 400));
        Duration longer = lease.plusMillis(random.nextLong(300, beyond.toMillis()));
        boolean isLong = random.nextInt(longOnes) == 0;
        Duration pause = Duration.ofMillis(random.nextLong(50, 300));
        int hours = random.nextInt(-30, 30);
        Duration length = isLong && fault.canOutlastTheLease() ? longer : shortly;
        return new Misfortune(fault, victim, length, fault.endsAProcess() ? quiet(fault) : pause, hours);
    }

    /** After a death it is quiet until the others must have taken over. */
    private Duration quiet(Fault fault) {
        return fault.isOfTheServer() ? lease.multipliedBy(2) : lease.plusMillis(1_500);
    }
}
