package dev.turno.web.dashboard;

import dev.turno.Turno;
import dev.turno.inbox.Inbox;
import dev.turno.inbox.InboxState;
import dev.turno.inbox.StoredMessage;
import dev.turno.run.StoredRun;
import dev.turno.task.StoredTask;
import dev.turno.task.TaskState;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Looks for a thing in all features: first for whatever has exactly this id, key, number or subject, which indexes find, then for the text
 * in ids and errors of what waits or is dead, as long as there is time. Shared by threads.
 */
final class Search {

    private static final int MOST_NAMES = 100;
    private static final int MOST_OF_ONE = 5; // its own list has a filter for the rest
    private static final Duration TIME = Duration.ofMillis(120);

    /** @param error its first line: the item itself shows all of it */
    record Found(String kind, String name, String id, String state, Optional<String> error) {

        Found {
            error = error.map(text -> text.lines().findFirst().orElse(""));
        }
    }

    /** @param isWhole all was looked at */
    record Answer(List<Found> items, boolean isWhole) {}

    private final Turno turno;
    private final Glances glances;

    Search(Turno turno, Glances glances) {
        this.turno = turno;
        this.glances = glances;
    }

    Answer find(String text) {
        if (text.isEmpty()) {
            return new Answer(List.of(), true);
        }
        Set<Found> found = new LinkedHashSet<>();
        exact(text, found);
        boolean isWhole = within(text, found, System.nanoTime() + TIME.toNanos());
        return new Answer(List.copyOf(found), isWhole);
    }

    private void exact(String text, Set<Found> found) {
        names(turno.inboxNames())
                .forEach(name -> turno.inbox(name).find(text).ifPresent(one -> found.add(message(name, one))));
        names(turno.bufferNames())
                .forEach(name -> turno.buffers(name)
                        .find(text)
                        .ifPresent(one -> found.add(
                                new Found("buffer", name, text, one.state().name(), one.error()))));
        turno.locks()
                .holderOf(text)
                .ifPresent(lock -> found.add(new Found("lock", "", text, "DOING", Optional.empty())));
        types().forEach(type -> turno.tasks().find(type, text).ifPresent(one -> found.add(task(one))));
        turno.runs().ofSubject(text, Optional.empty(), MOST_OF_ONE).forEach(one -> found.add(run(one)));
        if (text.matches("[0-9]{1,18}")) {
            turno.tasks().find(Long.parseLong(text)).ifPresent(one -> found.add(task(one)));
            turno.runs().find(Long.parseLong(text)).ifPresent(one -> found.add(run(one)));
        }
    }

    private boolean within(String text, Set<Found> found, long end) {
        List<Runnable> looks = new ArrayList<>();
        for (InboxState state : List.of(InboxState.DEAD, InboxState.PENDING)) {
            names(turno.inboxNames()).forEach(name -> looks.add(() -> messages(turno.inbox(name), state, text, found)));
        }
        types().forEach(type -> looks.add(() -> tasks(type, text, found)));
        names(turno.bufferNames()).forEach(name -> looks.add(() -> keys(name, text, found)));
        for (Runnable look : looks) {
            if (System.nanoTime() > end) {
                return false;
            }
            look.run();
        }
        return true;
    }

    private static void messages(Inbox inbox, InboxState state, String text, Set<Found> found) {
        inbox.list(state, Optional.of(text), Optional.empty(), MOST_OF_ONE)
                .items()
                .forEach(one -> found.add(message(inbox.name(), one)));
    }

    private void tasks(String type, String text, Set<Found> found) {
        turno.tasks()
                .list(type, TaskState.DEAD, Optional.of(text), Optional.empty(), MOST_OF_ONE)
                .items()
                .forEach(one -> found.add(task(one)));
    }

    private void keys(String buffer, String text, Set<Found> found) {
        glances.keys(buffer, Optional.of(text), MOST_OF_ONE)
                .forEach(one -> found.add(new Found("buffer", buffer, one.key(), one.state(), one.error())));
    }

    private static Found message(String inbox, StoredMessage one) {
        return new Found("inbox", inbox, one.id(), one.state().name(), one.error());
    }

    private static Found task(StoredTask one) {
        return new Found(
                "task", one.type(), Long.toString(one.id()), one.state().name(), one.error());
    }

    private static Found run(StoredRun one) {
        return new Found("run", one.job(), Long.toString(one.id()), one.state().name(), one.error());
    }

    private List<String> types() {
        return names(turno.tasks().typeNames());
    }

    private static List<String> names(List<String> all) {
        return all.stream().limit(MOST_NAMES).toList();
    }
}
