package dev.turno.simulation;

import dev.turno.command.Options;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;

/** As many seeds as wished: {@code ./turno simulate --seeds 100000 --seed 1}. */
public final class Simulation {

    private static final int TOLD_EVERY = 10_000;

    private Simulation() {}

    static World world(Stage stage, Broken broken, long seed) {
        return new World(stage, broken, seed, scene(seed));
    }

    private static World.Scene scene(long seed) {
        return switch ((int) (seed % 6)) {
            case 0 -> new InboxScene(Optional.empty(), 0);
            case 1 -> new InboxScene(Optional.empty(), 2);
            case 2 -> new InboxScene(Optional.of(2), 1);
            case 3 -> new BufferScene();
            case 4 -> new TaskScene(false, World.START);
            default -> new TaskScene(true, World.START);
        };
    }

    public static void main(String[] arguments) throws Exception {
        System.exit(Options.run(arguments, Simulation::run));
    }

    private static int run(Options options) throws InterruptedException {
        long seeds = options.number("--seeds", 100_000, 1, 1_000_000_000);
        long first = options.number("--seed", 1, 0, Long.MAX_VALUE / 2);
        options.end();
        return isRight(first, seeds) ? 0 : 1;
    }

    /** Says what it found; false if anything was wrong. */
    static boolean isRight(long first, long seeds) throws InterruptedException {
        long began = System.nanoTime();
        System.out.printf("simulation: seeds %d to %d%n", first, first + seeds - 1);
        boolean right = run(first, first + seeds);
        System.out.printf(
                "simulation: %s, %.1f s%n",
                right ? "nothing wrong" : "something is wrong", (System.nanoTime() - began) / 1e9);
        return right;
    }

    /** Each thread has a stage of its own, and each seed runs on one of them. */
    private static boolean run(long first, long end) throws InterruptedException {
        AtomicLong next = new AtomicLong(first);
        AtomicLong failed = new AtomicLong();
        List<Thread> threads = new ArrayList<>();
        for (int i = 0; i < Math.min(8, Runtime.getRuntime().availableProcessors()); i++) {
            Thread thread = new Thread(() -> {
                try (Stage stage = new Stage()) {
                    for (long seed = next.getAndIncrement();
                            seed < end && failed.get() == 0;
                            seed = next.getAndIncrement()) {
                        failed.addAndGet(isRight(stage, seed) ? 0 : 1);
                        if ((seed - first + 1) % TOLD_EVERY == 0) {
                            System.out.printf("simulation: %d seeds done%n", seed - first + 1);
                        }
                    }
                } catch (Exception e) {
                    failed.incrementAndGet();
                    System.out.println("simulation: " + e);
                }
            });
            threads.add(thread);
            thread.start();
        }
        for (Thread thread : threads) {
            thread.join();
        }
        return failed.get() == 0;
    }

    private static boolean isRight(Stage stage, long seed) throws Exception {
        World world = world(stage, Broken.NOTHING, seed);
        List<String> wrong = world.run();
        if (!wrong.isEmpty()) {
            wrong.forEach(what -> System.out.println("simulation: seed " + seed + ": " + what));
            System.out.printf("simulation: seed %d: trace %x%n", seed, world.trace());
        }
        return wrong.isEmpty();
    }
}
