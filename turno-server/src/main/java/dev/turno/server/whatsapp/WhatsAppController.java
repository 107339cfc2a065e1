package dev.turno.server.whatsapp;

import dev.turno.web.security.Role;
import dev.turno.web.security.Route;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.http.HttpStatus;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestHeader;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

/** What Meta calls. Open to all: the token that was agreed on, and the signature, are checked here. */
@RestController
@ConditionalOnProperty("turno.whatsapp.app-secret")
@RequestMapping("/api/v1/whatsapp")
class WhatsAppController {

    private final WhatsApp whatsapp;

    WhatsAppController(WhatsApp whatsapp) {
        this.whatsapp = whatsapp;
    }

    @GetMapping(produces = MediaType.TEXT_PLAIN_VALUE)
    @Route(role = Role.PRODUCER, open = true, says = "Meta asks whether this address is ours; the challenge goes back.")
    ResponseEntity<String> verify(
            @RequestParam(name = "hub.mode", required = false) @Nullable String mode,
            @RequestParam(name = "hub.verify_token", required = false) @Nullable String token,
            @RequestParam(name = "hub.challenge", required = false) @Nullable String challenge) {
        return whatsapp.verify(mode, token, challenge)
                .map(text ->
                        ResponseEntity.ok().contentType(MediaType.TEXT_PLAIN).body(text))
                .orElseGet(() -> ResponseEntity.status(HttpStatus.FORBIDDEN).build());
    }

    @PostMapping
    @Route(
            role = Role.PRODUCER,
            open = true,
            says = "Messages of WhatsApp, signed by Meta; 200 means that they are stored.")
    ResponseEntity<Void> receive(
            @RequestBody(required = false) byte @Nullable [] body,
            @RequestHeader(name = "X-Hub-Signature-256", required = false) @Nullable String signature) {
        boolean stored = whatsapp.receive(body == null ? new byte[0] : body, signature) == WhatsApp.Received.STORED;
        return ResponseEntity.status(stored ? HttpStatus.OK : HttpStatus.UNAUTHORIZED)
                .build();
    }
}
