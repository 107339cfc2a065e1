package dev.turno.certification.http;

import dev.turno.certification.wire.FieldError;
import dev.turno.certification.wire.Wire;
import java.util.Map;
import org.springframework.http.HttpHeaders;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** How a reply is put into words. */
interface Profile {

    ResponseEntity<String> of(Reply reply);

    /** The contract of old: always 200, and two codes. */
    record Legacy(Map<Situation, String> codes) implements Profile {

        @Override
        public ResponseEntity<String> of(Reply reply) {
            return json(200, MediaType.APPLICATION_JSON, reply, Wire.write(reply.body(codes)));
        }
    }

    /** Statuses, and problem details where nothing was decided. */
    record Http(Map<Situation, String> codes) implements Profile {

        private static final JsonMapper JSON = JsonMapper.builder().build();

        @Override
        public ResponseEntity<String> of(Reply reply) {
            int status = reply.situation().status();
            if (status < 300) {
                return json(status, MediaType.APPLICATION_JSON, reply, Wire.write(reply.body(codes)));
            }
            boolean unreadable =
                    reply.situation() == Situation.MALFORMED && reply.errors().isEmpty();
            int told = unreadable ? 400 : status;
            return json(told, MediaType.APPLICATION_PROBLEM_JSON, reply, problem(told, reply));
        }

        private String problem(int status, Reply reply) {
            ObjectNode problem = JSON.createObjectNode();
            problem.put("type", "about:blank");
            problem.put("title", reply.situation().title());
            problem.put("status", status);
            problem.put("detail", reply.situation().advice());
            problem.put("diagnosticoProcesar", reply.code(codes));
            if (!reply.errors().isEmpty()) {
                ArrayNode errors = problem.putArray("errors");
                for (FieldError error : reply.errors()) {
                    errors.addObject().put("field", error.field()).put("message", error.message());
                }
            }
            return problem.toString();
        }
    }

    private static ResponseEntity<String> json(int status, MediaType type, Reply reply, String body) {
        HttpHeaders headers = new HttpHeaders();
        headers.setContentType(type);
        reply.headers().forEach(headers::set);
        return ResponseEntity.status(status).headers(headers).body(body);
    }
}
