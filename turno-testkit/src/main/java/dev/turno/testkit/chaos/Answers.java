package dev.turno.testkit.chaos;

import dev.turno.claim.DatabaseAwayException;
import java.sql.SQLException;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/** What a process does when it is asked, each name on a thread of its own; the other end is {@link Questions}. Threads may share it. */
final class Answers {

    private record Door(Chaos.Put put, ExecutorService thread) {}

    private final Map<String, Door> doors = new ConcurrentHashMap<>();
    private volatile boolean ready;

    void to(String name, Chaos.Put put) {
        doors.put(name, new Door(put, Executors.newSingleThreadExecutor(work -> {
            Thread thread = new Thread(work, "chaos-answer-" + name);
            thread.setDaemon(true);
            return thread;
        })));
    }

    /** All names are known. */
    void ready() {
        ready = true;
    }

    /** Every line that the process is sent. */
    void hear(String line) {
        String[] words = line.split(" ", 4);
        if (!words[0].equals(Questions.ASK)) {
            return;
        }
        if (ready) {
            answer(words[1], Integer.parseInt(words[2]), words[3]);
        } else {
            say(words[1], Questions.AWAY + ": not ready yet");
        }
    }

    private void answer(String question, int number, String name) {
        Door door = doors.get(name);
        if (door == null) {
            say(question, Questions.FAILED + ": it has nothing of this name; let it say answer(...) before ready()");
        } else {
            door.thread().execute(() -> say(question, outcome(door.put(), number)));
        }
    }

    private static String outcome(Chaos.Put put, int number) {
        try {
            put.put(number);
            return Questions.DONE;
        } catch (DatabaseAwayException | SQLException away) {
            return Questions.AWAY + ": " + away;
        } catch (Exception | Error e) {
            e.printStackTrace();
            return Questions.FAILED + ": " + e;
        }
    }

    private static void say(String question, String answer) {
        System.out.println(String.join(
                " ", Questions.ANSWER, question, answer.lines().findFirst().orElse(answer)));
    }
}
