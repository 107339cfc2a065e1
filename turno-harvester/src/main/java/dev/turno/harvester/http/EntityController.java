package dev.turno.harvester.http;

import dev.turno.harvester.entity.Entities;
import dev.turno.harvester.entity.EntityKind;
import dev.turno.web.api.Inputs;
import dev.turno.web.api.Items;
import dev.turno.web.security.Role;
import dev.turno.web.security.Route;
import java.util.List;
import java.util.Optional;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

/** People, organisations and identifiers that valid records mention. */
@RestController
@RequestMapping("/api/v1/entities")
public class EntityController {

    private static final int LONGEST = 300;

    private final Entities entities;

    public EntityController(Entities entities) {
        this.entities = entities;
    }

    @GetMapping
    @Route(role = Role.VIEWER, says = "Entities of a kind whose names begin so, by their keys.")
    Items<Entities.Entity> search(
            @RequestParam EntityKind kind,
            @RequestParam(defaultValue = "") String q,
            @RequestParam(defaultValue = "") String after,
            @RequestParam(defaultValue = "50") int limit) {
        if (q.length() > LONGEST || after.length() > LONGEST) {
            throw new IllegalArgumentException("A name has at most " + LONGEST + " characters.");
        }
        List<Entities.Entity> found = entities.search(kind, q, after, Inputs.limit(limit) + 1);
        return Items.of(found, limit, Entities.Entity::key);
    }

    @GetMapping("/{id}/mentions")
    @Route(role = Role.VIEWER, says = "The records that mention an entity, and where.")
    Items<Entities.Provenance> mentions(
            @PathVariable long id, @RequestParam Optional<String> after, @RequestParam(defaultValue = "50") int limit) {
        List<Entities.Provenance> found = entities.mentions(id, Inputs.number(after, 0), Inputs.limit(limit) + 1);
        return Items.of(found, limit, Entities.Provenance::id);
    }
}
