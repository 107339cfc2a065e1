package dev.turno.server.whatsapp;

import dev.turno.web.security.Role;
import dev.turno.web.security.Route;
import jakarta.servlet.http.HttpServletRequest;
import java.io.IOException;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.http.HttpStatus;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestHeader;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

/** What Meta calls. Open to all: the token that was agreed on, and the signature, are checked here. */
@RestController
@ConditionalOnProperty("turno.whatsapp.app-secret")
@RequestMapping("/api/v1/whatsapp")
class WhatsAppController {

    private static final int LONGEST = 3 * 1024 * 1024; // as Meta's documentation says

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
            HttpServletRequest request,
            @RequestHeader(name = "X-Hub-Signature-256", required = false) @Nullable String signature)
            throws IOException {
        // Anybody may send to this address: what cannot be Meta's is not read, nor more than Meta ever sends.
        if (!WhatsApp.isSignature(signature)) {
            return ResponseEntity.status(HttpStatus.UNAUTHORIZED).build();
        }
        byte[] body = request.getInputStream().readNBytes(LONGEST + 1);
        if (body.length > LONGEST) {
            return ResponseEntity.status(HttpStatus.CONTENT_TOO_LARGE).build();
        }
        boolean stored = whatsapp.receive(body, signature) == WhatsApp.Received.STORED;
        return ResponseEntity.status(stored ? HttpStatus.OK : HttpStatus.UNAUTHORIZED)
                .build();
    }
}
