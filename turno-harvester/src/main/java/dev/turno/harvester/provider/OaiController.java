package dev.turno.harvester.provider;

import dev.turno.web.security.Role;
import dev.turno.web.security.Route;
import java.nio.charset.StandardCharsets;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;
import org.springframework.util.MultiValueMap;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestMethod;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

/** {@code /oai}, by GET or as a posted form, for those who have a token. */
@RestController
public final class OaiController {

    private static final MediaType XML = new MediaType(MediaType.TEXT_XML, StandardCharsets.UTF_8);

    private final OaiProvider provider;

    public OaiController(OaiProvider provider) {
        this.provider = provider;
    }

    @Route(role = Role.VIEWER, says = "The OAI-PMH provider over what was harvested.")
    @RequestMapping(
            path = "/oai",
            method = {RequestMethod.GET, RequestMethod.POST})
    public ResponseEntity<String> answer(@RequestParam MultiValueMap<String, String> arguments) {
        return answer(provider, arguments);
    }

    static ResponseEntity<String> answer(OaiProvider provider, MultiValueMap<String, String> arguments) {
        return ResponseEntity.ok().contentType(XML).body(provider.answer(arguments));
    }
}
