package dev.turno.web.api;

import dev.turno.web.security.Caller;
import dev.turno.web.security.Role;
import dev.turno.web.security.Route;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import org.springframework.http.MediaType;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.servlet.mvc.method.annotation.SseEmitter;

@RestController
@RequestMapping("/api/v1/events")
class EventController {

    private final EventStreams streams;

    EventController(EventStreams streams) {
        this.streams = streams;
    }

    @GetMapping(produces = {MediaType.TEXT_EVENT_STREAM_VALUE, MediaType.ALL_VALUE})
    @Route(
            role = Role.VIEWER,
            says =
                    "What happens in this process, as server-sent events of the name 'work', five times a second at most.")
    SseEmitter events(HttpServletRequest request, HttpServletResponse response) {
        response.setHeader("X-Accel-Buffering", "no");
        response.setContentType(MediaType.TEXT_EVENT_STREAM_VALUE);
        return streams.open(Caller.isStillGood(request));
    }
}
