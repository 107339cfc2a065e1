package dev.turno.web.dashboard;

import dev.turno.web.security.Role;
import dev.turno.web.security.Route;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatus;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestMethod;
import org.springframework.web.bind.annotation.RestController;

/** The page itself. Anybody may read it: it has no data in it, only the means to ask for them with a credential. */
@RestController
class Pages {

    static final String PATH = "/turno";

    private final Assets assets;

    Pages(Assets assets) {
        this.assets = assets;
    }

    @RequestMapping(
            path = PATH + "/",
            method = {RequestMethod.GET, RequestMethod.HEAD})
    @Route(role = Role.VIEWER, open = true, says = "The dashboard.")
    ResponseEntity<String> page() {
        return ResponseEntity.ok()
                .contentType(new MediaType(MediaType.TEXT_HTML, java.nio.charset.StandardCharsets.UTF_8))
                .body(assets.page());
    }

    /** Relative, so that it holds behind any proxy. */
    @RequestMapping(
            path = PATH,
            method = {RequestMethod.GET, RequestMethod.HEAD})
    @Route(role = Role.VIEWER, open = true, says = "Leads to the dashboard.", status = 302)
    ResponseEntity<Void> withoutSlash() {
        return ResponseEntity.status(HttpStatus.FOUND)
                .header(HttpHeaders.LOCATION, PATH.substring(1) + "/")
                .build();
    }
}
