package dev.turno.web.dashboard;

import dev.turno.Turno;
import dev.turno.web.api.NotFoundException;
import dev.turno.web.security.Role;
import dev.turno.web.security.Route;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RestController;

/** What happened to an item before: the attempts that failed, and the trace that it belongs to. */
@RestController
@RequestMapping("/api/v1/story")
class StoryController {

    /** The id of the trace in W3C's header. */
    private static final Pattern TRACE = Pattern.compile("traceparent: ?[0-9a-f]{2}-([0-9a-f]{32})-");

    private final Turno turno;
    private final Glances glances;
    private final Failures failures;
    private final Optional<String> traceUrl;

    StoryController(Turno turno, Glances glances, Failures failures, DashboardProperties properties) {
        this.turno = turno;
        this.glances = glances;
        this.failures = failures;
        this.traceUrl = properties.traceUrl();
    }

    /** @param failures newest first */
    record Story(List<Failures.Failure> failures, Optional<String> trace, Optional<String> traceUrl) {}

    @GetMapping("/inbox/{inbox}/{id}")
    @Route(
            role = Role.VIEWER,
            says = "The attempts of a message that failed, newest first, with their errors; and its trace.",
            gives = "{\"failures\":[{\"attempt\":1,\"at\":\"2030-01-01T10:00:00Z\",\"error\":\"the oven is cold\"}],"
                    + "\"trace\":null,\"traceUrl\":null}")
    Story message(@PathVariable String inbox, @PathVariable String id) {
        Glances.Row row = glances.row(inbox, id)
                .orElseThrow(() -> new NotFoundException("There is no message '" + id + "' in inbox '" + inbox + "'."));
        Optional<String> trace =
                row.trace().map(TRACE::matcher).filter(Matcher::find).map(found -> found.group(1));
        return new Story(failures.of(inbox + "/" + id + "#" + row.id()), trace, trace.flatMap(this::link));
    }

    private Optional<String> link(String trace) {
        return traceUrl.map(url -> url.replace("{trace}", URLEncoder.encode(trace, StandardCharsets.UTF_8)));
    }

    @GetMapping("/task/{id}")
    @Route(role = Role.VIEWER, says = "The attempts of a task that failed, newest first, with their errors.")
    Story task(@PathVariable long id) {
        String type = turno.tasks()
                .find(id)
                .orElseThrow(() -> new NotFoundException("There is no task " + id + "."))
                .type();
        return new Story(failures.of(type + "#" + id), Optional.empty(), Optional.empty());
    }
}
