package dev.turno.web.api;

import dev.turno.web.security.Caller;
import dev.turno.web.security.Role;
import dev.turno.web.security.Route;
import dev.turno.web.security.Sessions;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import org.springframework.http.HttpStatus;
import org.springframework.web.bind.annotation.DeleteMapping;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.ResponseStatus;
import org.springframework.web.bind.annotation.RestController;

/** For people with a browser. */
@RestController
@RequestMapping("/api/v1/session")
class SessionController {

    private final Sessions sessions;

    SessionController(Sessions sessions) {
        this.sessions = sessions;
    }

    record Who(String name, Role role) {}

    @PostMapping
    @Route(
            role = Role.VIEWER,
            says =
                    "Signs in: whoever sends a token gets a cookie that no script can read, for 12 hours or until the token ends.",
            gives = "{\"name\":\"admin\",\"role\":\"admin\"}")
    Who begin(HttpServletRequest request, HttpServletResponse response) {
        sessions.begin(request, response);
        return who(Caller.of(request));
    }

    @GetMapping
    @Route(role = Role.VIEWER, says = "Who I am.", gives = "{\"name\":\"admin\",\"role\":\"admin\"}")
    Who show(Caller caller) {
        return who(caller);
    }

    private static Who who(Caller caller) {
        return new Who(caller.name(), caller.role());
    }

    @DeleteMapping
    @ResponseStatus(HttpStatus.NO_CONTENT)
    @Route(role = Role.VIEWER, says = "Signs out.", status = 204)
    void end(HttpServletRequest request, HttpServletResponse response) {
        sessions.end(request, response);
    }
}
