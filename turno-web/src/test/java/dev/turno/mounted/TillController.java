package dev.turno.mounted;

import dev.turno.web.security.Role;
import dev.turno.web.security.Route;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;

/** Routes outside of the API's own paths. */
@RestController
public class TillController {

    @GetMapping("/till")
    @Route(role = Role.OPERATOR, says = "What is in the till.")
    String till() {
        return "ten coins";
    }

    @GetMapping("/till/broken")
    @Route(role = Role.OPERATOR, says = "Fails.")
    String broken() {
        throw new IllegalStateException("the key is under the mat");
    }
}
