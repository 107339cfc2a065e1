package dev.turno.web.api;

import dev.turno.web.security.Role;
import dev.turno.web.security.Route;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RestController;

/** Why is it not running? */
@RestController
@RequestMapping("/api/v1/why")
class WhyController {

    private final Map<String, Why> kinds = new TreeMap<>();

    WhyController(List<Why> all) {
        all.forEach(why -> kinds.put(why.kind(), why));
    }

    /** @param reasons the same as {@code because}, for those who say it in another language */
    record Answer(String kind, String id, List<String> because, List<Reason> reasons) {}

    record Reason(String code, Map<String, Object> values) {}

    @GetMapping("/{kind}/{*id}")
    @Route(
            role = Role.VIEWER,
            says = "Why something is not running: inbox/NAME/ID, buffer/NAME/KEY, lock/NAME, task/ID, run/ID.",
            gives = "{\"kind\":\"inbox\",\"id\":\"orders/order-1\",\"because\":[\"The inbox is paused; resume it.\"],"
                    + "\"reasons\":[{\"code\":\"paused\",\"values\":{}}]}")
    Answer why(@PathVariable String kind, @PathVariable String id) {
        Why why = kinds.get(kind);
        if (why == null) {
            throw new NotFoundException("There is no kind '" + kind + "'; use one of " + kinds.keySet() + ".");
        }
        if (id.length() < 2) {
            throw new IllegalArgumentException(
                    "Say which: inbox/NAME/ID, buffer/NAME/KEY, lock/NAME, task/ID or run/ID.");
        }
        String thing = id.substring(1);
        List<Said> said = why.explain(thing);
        return new Answer(
                kind,
                thing,
                said.stream().map(Said::text).toList(),
                said.stream().map(one -> new Reason(one.code(), one.values())).toList());
    }
}
