package dev.turno.harvester.search;

import java.util.Map;
import java.util.TreeMap;
import org.springframework.core.io.ClassPathResource;
import org.springframework.core.io.Resource;
import org.springframework.http.HttpStatus;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.server.ResponseStatusException;

/** {@code /api/v1/search}, and the page at {@code /search} that uses it. */
@RestController
public final class SearchController {

    private final Search search;

    public SearchController(Search search) {
        this.search = search;
    }

    /** Arguments besides {@code q}, {@code from} and {@code size} are facets, such as {@code language=spa}. */
    @GetMapping("/api/v1/search")
    public SearchResult find(
            @RequestParam(defaultValue = "") String q,
            @RequestParam(defaultValue = "0") int from,
            @RequestParam(defaultValue = "20") int size,
            @RequestParam Map<String, String> arguments) {
        Map<String, String> filters = new TreeMap<>(arguments);
        filters.keySet().removeAll(java.util.Set.of("q", "from", "size"));
        try {
            return search.find(new SearchRequest(q, filters, from, size));
        } catch (IllegalArgumentException e) {
            throw new ResponseStatusException(HttpStatus.BAD_REQUEST, e.getMessage(), e);
        }
    }

    @GetMapping("/search")
    public ResponseEntity<Resource> page() {
        return file("search.html", MediaType.TEXT_HTML);
    }

    @GetMapping("/search/search.js")
    public ResponseEntity<Resource> script() {
        return file("search.js", new MediaType("text", "javascript"));
    }

    @GetMapping("/search/search.css")
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
