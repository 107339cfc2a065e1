package dev.turno.web.dashboard;

import dev.turno.web.api.Items;
import dev.turno.web.security.Role;
import dev.turno.web.security.Route;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

/** What the page asks for beside the features' own endpoints. */
@RestController
@RequestMapping("/api/v1")
class GlanceController {

    private static final int LONGEST_SEARCH = 200;

    private final History history;
    private final Attention attention;
    private final Glances glances;
    private final Search search;

    GlanceController(History history, Attention attention, Glances glances, Search search) {
        this.history = history;
        this.attention = attention;
        this.glances = glances;
        this.search = search;
    }

    @GetMapping("/attention")
    @Route(
            role = Role.VIEWER,
            says = "What a person should look at: dead letters, lost holders, late schedules, locks held for long.",
            gives = "{\"items\":[{\"kind\":\"dead\",\"of\":\"inbox\",\"name\":\"orders\",\"count\":12,\"since\":null}],"
                    + "\"next\":null}")
    Items<Attention.Item> attention() {
        return Items.of(attention.items(), Optional.empty());
    }

    @GetMapping("/history")
    @Route(
            role = Role.VIEWER,
            says =
                    "How much was done when, in the whole cluster; range is live, hour, day or week, who for example 'inbox"
                            + " orders'.",
            gives =
                    "{\"seconds\":60,\"points\":[{\"at\":\"2030-01-01T10:00:00Z\",\"done\":120,\"again\":1,\"dead\":0,\"p50Ms\":12,\"p95Ms\":48,\"p99Ms\":90,\"longestMs\":140}]}")
    History.Points history(
            @RequestParam(defaultValue = "hour") String range, @RequestParam(defaultValue = "") String who) {
        return history.read(range(range), plain(who));
    }

    private static History.Range range(String text) {
        try {
            return History.Range.valueOf(text.toUpperCase(Locale.ROOT));
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException("There is no such range; use live, hour, day or week.", e);
        }
    }

    private static String plain(String text) {
        if (text.length() > LONGEST_SEARCH || text.indexOf(0) >= 0) {
            throw new IllegalArgumentException("Use at most " + LONGEST_SEARCH + " plain characters.");
        }
        return text;
    }

    @GetMapping("/history/sparks")
    @Route(
            role = Role.VIEWER,
            says = "What was done in each of the last thirty minutes, by feature and name.",
            gives = "{\"inbox orders\":[0,3]}")
    Map<String, List<Long>> sparks() {
        return history.sparks();
    }

    @GetMapping("/oldest")
    @Route(
            role = Role.VIEWER,
            says = "Per inbox, since when the oldest message waits that could be taken.",
            gives = "{\"items\":[{\"inbox\":\"orders\",\"turnAt\":\"2030-01-01T10:00:00Z\"}],\"next\":null}")
    Items<Glances.Oldest> oldest() {
        return Items.of(glances.oldest(), Optional.empty());
    }

    @GetMapping("/buffer-keys/{buffer}")
    @Route(role = Role.VIEWER, says = "The keys of a buffer whose turn comes next; q is a part of the key.")
    Items<Glances.Key> keys(@PathVariable String buffer, @RequestParam Optional<String> q) {
        return Items.of(glances.keys(plain(buffer), q.map(GlanceController::plain)), Optional.empty());
    }

    @GetMapping("/buffer-keys/{buffer}/{key}")
    @Route(role = Role.VIEWER, says = "What a key has not handed over yet, in the order of its coming.")
    Items<Glances.Waiting> waiting(@PathVariable String buffer, @PathVariable String key) {
        return Items.of(glances.waiting(plain(buffer), plain(key)), Optional.empty());
    }

    @GetMapping("/task-peaks")
    @Route(role = Role.VIEWER, says = "What starts within the hour, by minute, type and the node in whose share it is.")
    Items<Glances.Peak> peaks() {
        return Items.of(glances.peaks(), Optional.empty());
    }

    @GetMapping("/schedule-runs/{schedule}")
    @Route(role = Role.VIEWER, says = "The last thirty runs of a schedule, newest first.")
    Items<Glances.PastRun> runs(@PathVariable String schedule) {
        return Items.of(glances.runs(plain(schedule)), Optional.empty());
    }

    @GetMapping("/find")
    @Route(
            role = Role.VIEWER,
            says =
                    "Whatever has this id, key, number or subject, in all features; then what waits or is dead and has this text in its"
                            + " id or error. isWhole is false if the time for it was over before all was looked at.",
            gives =
                    "{\"items\":[{\"kind\":\"inbox\",\"name\":\"orders\",\"id\":\"order-1\",\"state\":\"DONE\",\"error\":null}],"
                            + "\"isWhole\":true}")
    Search.Answer find(@RequestParam String q) {
        return search.find(plain(q.strip()));
    }
}
