package dev.turno.server;

import dev.turno.web.security.Role;
import dev.turno.web.security.Route;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatus;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestMethod;
import org.springframework.web.bind.annotation.RestController;

/** Whoever opens the server's address in a browser wants the dashboard. */
@RestController
class HomePage {

    /** Relative, so that it holds behind any proxy. */
    @RequestMapping(
            path = "/",
            method = {RequestMethod.GET, RequestMethod.HEAD})
    @Route(role = Role.VIEWER, open = true, says = "Leads to the dashboard.", status = 302)
    ResponseEntity<Void> home() {
        return ResponseEntity.status(HttpStatus.FOUND)
                .header(HttpHeaders.LOCATION, "turno/")
                .build();
    }
}
