package dev.turno.spring;

import dev.turno.claim.Result;
import dev.turno.claim.Turn;
import dev.turno.inbox.NewMessage;
import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationRegistry;
import io.micrometer.observation.transport.Kind;
import io.micrometer.observation.transport.ReceiverContext;
import io.micrometer.observation.transport.SenderContext;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * Observes puts and handlers, and carries the trace from one to the other: what the application's propagator writes (for example W3C's
 * {@code traceparent}) is stored with the message, a line for each header, and read again before the handler runs.
 */
record Tracing(ObservationRegistry registry) {

    /** Runs {@code put} with the trace to be stored, which is empty where nothing traces. */
    <T> T sending(String kind, String name, Function<Optional<String>, T> put) {
        Map<String, String> headers = new TreeMap<>();
        SenderContext<Map<String, String>> context =
                new SenderContext<>((carrier, header, value) -> headers.put(header, value), Kind.PRODUCER);
        context.setCarrier(headers);
        return observation("turno.put", kind, name, context).observe(() -> put.apply(written(headers)));
    }

    /** The handler as a part of the trace in which its item was put. */
    <R> Handling<R> receiving(String kind, String name, Function<R, Optional<String>> trace, Handling<R> handler) {
        return (row, turn) -> {
            ReceiverContext<Map<String, String>> context = new ReceiverContext<>(Map::get, Kind.CONSUMER);
            context.setCarrier(trace.apply(row).map(Tracing::read).orElse(Map.of()));
            Observation observation = observation("turno.handle", kind, name, context)
                    .lowCardinalityKeyValue("outcome", "failed")
                    .highCardinalityKeyValue("turno.key", turn.key())
                    .highCardinalityKeyValue("turno.attempt", Integer.toString(turn.attempt()));
            return observation.observeChecked(() -> told(observation, handler, row, turn));
        };
    }

    private static <R> Result told(Observation observation, Handling<R> handler, R row, Turn turn) throws Exception {
        Result result = handler.handle(row, turn);
        observation.lowCardinalityKeyValue("outcome", outcome(result));
        return result;
    }

    private static String outcome(Result result) {
        if (result instanceof Result.Done) {
            return "done";
        }
        return result instanceof Result.Retry ? "retry" : "reject";
    }

    private Observation observation(String what, String kind, String name, Observation.Context context) {
        return Observation.createNotStarted(what, () -> context, registry)
                .contextualName(kind + " " + name + " " + what.substring("turno.".length()))
                .lowCardinalityKeyValue("kind", kind)
                .lowCardinalityKeyValue("name", name);
    }

    /** What does not fit is left out, last in the alphabet first: a trace never keeps a message from being put. */
    private static Optional<String> written(Map<String, String> headers) {
        StringBuilder lines = new StringBuilder();
        headers.forEach((name, value) -> {
            String line = name + ": " + value + "\n";
            if (lines.length() + line.length() <= NewMessage.LONGEST_TRACE) {
                lines.append(line);
            }
        });
        return Optional.of(lines.toString()).filter(text -> !text.isEmpty());
    }

    private static Map<String, String> read(String trace) {
        return trace.lines()
                .map(line -> line.split(": ", 2))
                .filter(parts -> parts.length == 2)
                .collect(Collectors.toMap(parts -> parts[0], parts -> parts[1], (first, second) -> first));
    }
}
