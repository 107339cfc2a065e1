package dev.turno.benchmarks.locks;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * What some threads got done in a while.
 *
 * @param rate cycles a second of all threads together
 * @param longestWait of any cycle, in milliseconds, from asking to having given back
 * @param leastShare of the thread that got least, as a share of the average
 * @param overlaps how often two threads were inside at once where only one may be
 */
record Pass(double rate, double longestWait, double leastShare, int overlaps) {

    private record Mine(int cycles, long longest) {}

    static Pass of(Contestant.Instance instance, List<String> names, long nanos) throws Exception {
        ExecutorService threads = Executors.newFixedThreadPool(names.size());
        try {
            var inside = new AtomicInteger();
            var overlaps = new AtomicInteger();
            boolean oneName = names.stream().distinct().count() == 1;
            Runnable check = () -> {
                if (inside.incrementAndGet() > 1 && oneName) {
                    overlaps.incrementAndGet();
                }
                inside.decrementAndGet();
            };
            long start = System.nanoTime();
            List<Future<Mine>> futures = new ArrayList<>();
            for (String name : names) {
                futures.add(threads.submit(() -> run(instance, name, check, start + nanos)));
            }
            List<Mine> all = new ArrayList<>();
            for (Future<Mine> future : futures) {
                all.add(future.get());
            }
            return of(all, (System.nanoTime() - start) / 1e9, overlaps.get());
        } finally {
            threads.shutdownNow();
        }
    }

    private static Pass of(List<Mine> all, double seconds, int overlaps) {
        int cycles = all.stream().mapToInt(Mine::cycles).sum();
        long longest = all.stream().mapToLong(Mine::longest).max().orElseThrow();
        int least = all.stream().mapToInt(Mine::cycles).min().orElseThrow();
        return new Pass(cycles / seconds, longest / 1e6, least / ((double) cycles / all.size()), overlaps);
    }

    private static Mine run(Contestant.Instance instance, String name, Runnable inside, long end) throws Exception {
        int cycles = 0;
        long longest = 0;
        try (Contestant.Client client = instance.client()) {
            long now = System.nanoTime();
            while (end - now > 0) {
                client.cycle(name, inside);
                long after = System.nanoTime();
                longest = Math.max(longest, after - now);
                now = after;
                cycles++;
            }
        }
        return new Mine(cycles, longest);
    }
}
