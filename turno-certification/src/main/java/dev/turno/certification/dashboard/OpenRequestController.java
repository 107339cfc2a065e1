package dev.turno.certification.dashboard;

import dev.turno.web.api.Items;
import dev.turno.web.security.Role;
import dev.turno.web.security.Route;
import java.util.Optional;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RestController;

@RestController
@RequestMapping("/api/v1/certification")
class OpenRequestController {

    private final OpenRequests requests;

    OpenRequestController(OpenRequests requests) {
        this.requests = requests;
    }

    @GetMapping("/open")
    @Route(role = Role.VIEWER, says = "The requests whose end nobody knows yet, the oldest 200.")
    Items<OpenRequests.Open> open() {
        return Items.of(requests.open(), Optional.empty());
    }

    @GetMapping("/answered")
    @Route(role = Role.VIEWER, says = "How the newest thousand requests were answered, by benefit and code.")
    Items<OpenRequests.Answered> answered() {
        return Items.of(requests.answered(), Optional.empty());
    }
}
