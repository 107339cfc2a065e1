package dev.turno.web.api;

import com.fasterxml.jackson.annotation.JsonFormat;
import dev.turno.web.security.AuditNote;
import dev.turno.web.security.Caller;
import dev.turno.web.security.Role;
import dev.turno.web.security.Route;
import dev.turno.web.security.Tokens;
import dev.turno.web.security.Tokens.NewToken;
import dev.turno.web.security.Tokens.TokenView;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpStatus;
import org.springframework.web.bind.annotation.DeleteMapping;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.ResponseStatus;
import org.springframework.web.bind.annotation.RestController;

@RestController
@RequestMapping("/api/v1/tokens")
class TokenController {

    private final Tokens tokens;

    TokenController(Tokens tokens) {
        this.tokens = tokens;
    }

    record CreateRequest(
            @Nullable String name,
            @Nullable Role role,

            @JsonFormat(with = JsonFormat.Feature.ACCEPT_SINGLE_VALUE_AS_ARRAY) @Nullable
            List<String> afore,

            @Nullable String expiresIn) {}

    @PostMapping
    @ResponseStatus(HttpStatus.CREATED)
    @Route(
            role = Role.ADMIN,
            says = "Makes a token; this answer is the only one that shows it. A caller also names its AFORE keys.",
            takes = "{\"name\":\"n8n\",\"role\":\"producer\"}",
            gives = "{\"id\":3,\"name\":\"n8n\",\"role\":\"producer\",\"token\":\"turno_...\"}",
            status = 201)
    NewToken create(@RequestBody CreateRequest request, Caller caller, AuditNote note) {
        NewToken made = tokens.create(
                Inputs.required("name", request.name()),
                Inputs.required("role", request.role()),
                Optional.ofNullable(request.afore()).orElse(List.of()),
                Optional.ofNullable(request.expiresIn()).map(text -> Inputs.duration("expiresIn", text)),
                caller.name());
        note.about("token " + made.id() + " '" + made.name() + "' of role "
                + made.role().text());
        return made;
    }

    @GetMapping
    @Route(
            role = Role.ADMIN,
            says = "The tokens, without themselves.",
            gives = "{\"items\":[{\"id\":1,\"name\":\"admin\",\"role\":\"admin\",\"afore\":[]}],\"next\":null}")
    Items<TokenView> list(@RequestParam Optional<String> after, @RequestParam(defaultValue = "100") int limit) {
        return Items.of(tokens.list(Inputs.number(after, 0), Inputs.limit(limit) + 1), limit, TokenView::id);
    }

    @DeleteMapping("/{id}")
    @ResponseStatus(HttpStatus.NO_CONTENT)
    @Route(
            role = Role.ADMIN,
            says = "Revokes a token: nobody gets in with it any more, nor with sessions begun with it.",
            status = 204)
    void revoke(@PathVariable long id) {
        if (!tokens.revoke(id)) {
            throw new NotFoundException("There is no token " + id + " that is still valid.");
        }
    }
}
