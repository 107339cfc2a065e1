package dev.turno.web.api;

import dev.turno.Turno;
import dev.turno.holder.Holder;
import dev.turno.web.security.Audit;
import dev.turno.web.security.Role;
import dev.turno.web.security.Route;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

/** What goes on in the whole cluster. */
@RestController
@RequestMapping("/api/v1")
class OverviewController {

    private final Turno turno;
    private final Overview overview;
    private final Audit audit;

    OverviewController(Turno turno, Overview overview, Audit audit) {
        this.turno = turno;
        this.overview = overview;
        this.audit = audit;
    }

    @GetMapping("/holders")
    @Route(
            role = Role.VIEWER,
            says = "The processes of the namespace, by id.",
            gives =
                    "{\"items\":[{\"id\":\"1a2b\",\"node\":\"node-a\",\"lapsed\":false,\"reapedAt\":null}],\"next\":null}")
    Items<Holder> holders(@RequestParam Optional<String> after, @RequestParam(defaultValue = "1000") int limit) {
        return Items.page(turno.holders(), holder -> holder.id().toString(), after, limit);
    }

    @GetMapping("/overview")
    @Route(
            role = Role.VIEWER,
            says = "Every feature in figures, at most a second old.",
            gives =
                    "{\"holder\":\"1a2b\",\"healthy\":true,\"holders\":1,\"inboxes\":[],\"buffers\":[],\"counters\":{}}")
    Map<String, Object> overview() {
        return overview.figures();
    }

    @GetMapping("/audit")
    @Route(
            role = Role.OPERATOR,
            says = "Who changed what, when and why, newest first.",
            gives =
                    "{\"items\":[{\"id\":9,\"who\":\"admin\",\"action\":\"POST /api/v1/inboxes/orders/pause\",\"why\":\"the shop is closed\",\"details\":null,\"status\":200}],"
                            + "\"next\":null}")
    Items<Audit.Entry> audit(@RequestParam Optional<String> after, @RequestParam(defaultValue = "50") int limit) {
        List<Audit.Entry> found = audit.list(Inputs.number(after, Long.MAX_VALUE), Inputs.limit(limit) + 1);
        return Items.of(found, limit, Audit.Entry::id);
    }
}
