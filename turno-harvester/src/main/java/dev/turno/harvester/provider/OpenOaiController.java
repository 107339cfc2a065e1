package dev.turno.harvester.provider;

import dev.turno.web.security.Role;
import dev.turno.web.security.Route;
import org.springframework.http.ResponseEntity;
import org.springframework.util.MultiValueMap;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestMethod;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

/** {@code /oai} for everybody. */
@RestController
public final class OpenOaiController {

    private final OaiProvider provider;

    public OpenOaiController(OaiProvider provider) {
        this.provider = provider;
    }

    @Route(role = Role.VIEWER, open = true, says = "The OAI-PMH provider over what was harvested.")
    @RequestMapping(
            path = "/oai",
            method = {RequestMethod.GET, RequestMethod.POST})
    public ResponseEntity<String> answer(@RequestParam MultiValueMap<String, String> arguments) {
        return OaiController.answer(provider, arguments);
    }
}
