package dev.turno.server.demo;

import dev.turno.web.api.ConflictException;
import dev.turno.web.api.Overview;
import dev.turno.web.security.Role;
import dev.turno.web.security.Route;
import java.util.Map;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RestController;

/** The demo's button. */
@RestController
@ConditionalOnBooleanProperty("turno.demo")
class DemoController {

    private final Demo demo;

    DemoController(Demo demo) {
        this.demo = demo;
    }

    @PostMapping("/api/v1/demo/kill")
    @Route(
            role = Role.OPERATOR,
            says = "Kills the demo's second node as if its power failed; its work moves over, and another one starts.",
            gives = "{\"killed\":true}")
    Map<String, Boolean> kill() {
        if (!demo.kill()) {
            throw new ConflictException(
                    "The demo's second node is dead already. Another one starts after two leases; then there is something to kill again.");
        }
        return Map.of("killed", true);
    }

    /** So that the dashboard shows the button. */
    @Configuration(proxyBeanMethods = false)
    @ConditionalOnBooleanProperty("turno.demo")
    static class Shown {

        @Bean
        Overview.Part turnoDemoIsOn() {
            return () -> Map.of("demo", true);
        }
    }
}
