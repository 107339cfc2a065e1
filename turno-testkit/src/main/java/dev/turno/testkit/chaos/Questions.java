package dev.turno.testkit.chaos;

import dev.turno.testkit.process.ChildProcess;
import java.sql.SQLException;
import java.sql.SQLTransientException;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/** What the processes were asked to do and have not answered yet; the other end is {@link Answers}. Threads may share it. */
final class Questions {

    static final String ASK = "ask";
    static final String ANSWER = "answer";
    static final String DONE = "done";
    static final String AWAY = "away";
    static final String FAILED = "failed";
    private static final Duration TIMEOUT = Duration.ofSeconds(5);
    private static final Duration BEFORE_ANOTHER_LOOK = Duration.ofMillis(100);

    private final AtomicLong asked = new AtomicLong();
    private final Map<String, BlockingQueue<String>> open = new ConcurrentHashMap<>();

    /** Returns when it is done. An answer that comes too late is not heard: it belongs to no later question, even for the same thing. */
    void ask(ChildProcess node, String name, int number) throws SQLException, InterruptedException {
        String question = Long.toString(asked.incrementAndGet());
        BlockingQueue<String> answer = new ArrayBlockingQueue<>(1);
        open.put(question, answer);
        try {
            send(node, String.join(" ", ASK, question, Integer.toString(number), name));
            judge(await(answer, node), name + " " + number + " of " + node);
        } finally {
            open.remove(question);
        }
    }

    private static void send(ChildProcess node, String line) throws SQLException {
        try {
            node.send(line);
        } catch (AssertionError dead) {
            throw new SQLTransientException(node + " is not there to be asked", dead);
        }
    }

    /** Not from one that has died meanwhile. */
    private static Optional<String> await(BlockingQueue<String> answer, ChildProcess node) throws InterruptedException {
        Optional<String> heard = Optional.empty();
        long until = System.nanoTime() + TIMEOUT.toNanos();
        while (heard.isEmpty() && node.isAlive() && System.nanoTime() - until < 0) {
            heard = Optional.ofNullable(answer.poll(BEFORE_ANOTHER_LOOK.toMillis(), TimeUnit.MILLISECONDS));
        }
        return heard;
    }

    private static void judge(Optional<String> heard, String what) throws SQLException {
        String answer = heard.orElseThrow(() -> new SQLTransientException(what + " was not answered"));
        if (answer.startsWith(AWAY)) {
            throw new SQLTransientException(what + ": " + answer);
        }
        if (!answer.equals(DONE)) {
            throw new IllegalStateException(what + " failed in an unexpected way: " + answer);
        }
    }

    /** Every line of every process. */
    void hear(String line) {
        String[] words = line.split(" ", 3);
        if (words.length == 3 && words[0].equals(ANSWER) && isWhole(words[2])) {
            BlockingQueue<String> answer = open.get(words[1]);
            if (answer != null) {
                answer.add(words[2]);
            }
        }
    }

    /** One that was cut off by the death of its process is none. */
    private static boolean isWhole(String answer) {
        return answer.equals(DONE) || answer.startsWith(AWAY) || answer.startsWith(FAILED);
    }
}
