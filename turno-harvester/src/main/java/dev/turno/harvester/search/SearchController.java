package dev.turno.harvester.search;

import dev.turno.web.security.Role;
import dev.turno.web.security.Route;
import java.util.Map;
import java.util.TreeMap;
import org.springframework.core.io.ClassPathResource;
import org.springframework.core.io.Resource;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestMethod;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

/** {@code /api/v1/search}, and the page at {@code /search} that uses it. */
@RestController
public final class SearchController {

    private final Search search;

    public SearchController(Search search) {
        this.search = search;
    }

    /** Arguments besides {@code q}, {@code from} and {@code size} are facets, such as {@code language=spa}. */
    @Route(role = Role.VIEWER, says = "Documents with these words; other arguments narrow by facets.")
    @GetMapping("/api/v1/search")
    public SearchResult find(
            @RequestParam(defaultValue = "") String q,
            @RequestParam(defaultValue = "0") int from,
            @RequestParam(defaultValue = "20") int size,
            @RequestParam Map<String, String> arguments) {
        Map<String, String> filters = new TreeMap<>(arguments);
        filters.keySet().removeAll(java.util.Set.of("q", "from", "size"));
        return search.find(new SearchRequest(q, filters, from, size));
    }

    @Route(role = Role.VIEWER, open = true, says = "A page to search on.")
    @RequestMapping(
            path = "/search",
            method = {RequestMethod.GET, RequestMethod.HEAD})
    public ResponseEntity<Resource> page() {
        return file("search.html", MediaType.TEXT_HTML);
    }

    @Route(role = Role.VIEWER, open = true, says = "The script of the search page.")
    @RequestMapping(
            path = "/search/search.js",
            method = {RequestMethod.GET, RequestMethod.HEAD})
    public ResponseEntity<Resource> script() {
        return file("search.js", new MediaType("text", "javascript"));
    }

    @Route(role = Role.VIEWER, open = true, says = "The style of the search page.")
    @RequestMapping(
            path = "/search/search.css",
            method = {RequestMethod.GET, RequestMethod.HEAD})
    public ResponseEntity<Resource> style() {
        return file("search.css", new MediaType("text", "css"));
    }

    private static ResponseEntity<Resource> file(String name, MediaType type) {
        return ResponseEntity.ok()
                .header("Content-Security-Policy", "default-src 'self'; frame-ancestors 'none'; base-uri 'none'")
                .header("X-Content-Type-Options", "nosniff")
                .contentType(new MediaType(type, java.nio.charset.StandardCharsets.UTF_8))
                .body(new ClassPathResource(name, SearchController.class));
    }
}
