package dev.turno.server.external;

import com.fasterxml.jackson.annotation.JsonProperty;
import dev.turno.claim.Result;
import dev.turno.claim.Taken;
import dev.turno.inbox.Message;
import dev.turno.web.api.Inputs;
import dev.turno.web.api.Names;
import dev.turno.web.security.Caller;
import dev.turno.web.security.Role;
import dev.turno.web.security.Route;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatus;
import org.springframework.http.MediaType;
import org.springframework.http.ProblemDetail;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.context.request.async.DeferredResult;

/** Take, renew and finish over HTTP. A worker is known by its token, and may name itself beneath that ({@code ?worker=}). */
@RestController
@RequestMapping("/api/v1/inboxes/{inbox}")
class ExternalController {

    private static final Duration MARGIN = Duration.ofSeconds(10);

    private final ExternalWorkers workers;
    private final Names names;

    ExternalController(ExternalWorkers workers, Names names) {
        this.workers = workers;
        this.names = names;
    }

    /** @param longest how long to wait if there is nothing */
    record TakeRequest(
            @Nullable Integer limit,
            @JsonProperty("wait") @Nullable String longest) {}

    /**
     * A message in the worker's hands.
     *
     * @param key the same at every retry and never used for another message: for systems that can drop repetitions
     */
    record TakenView(
            String id,
            String body,
            long fence,
            int attempt,
            String key,
            int priority,
            @Nullable String orderingKey,
            Instant putAt) {

        static TakenView of(Taken<Message> taken) {
            Message message = taken.row();
            return new TakenView(
                    message.id(),
                    message.body(),
                    taken.claim().fence(),
                    taken.attempt(),
                    taken.key(),
                    message.priority(),
                    message.orderingKey().orElse(null),
                    message.putAt());
        }
    }

    /** @param maxRun how long each of them is the worker's, unless it renews */
    record TakeAnswer(List<TakenView> items, Duration maxRun) {}

    record RenewItem(@Nullable String id, @Nullable Long fence) {
        Presented presented() {
            return new Presented(Inputs.required("id", id), Inputs.required("fence", fence), Optional.empty());
        }
    }

    /** @param in before a retry; without it, the inbox's backoff decides */
    record FinishItem(
            @Nullable String id,
            @Nullable Long fence,
            @Nullable String result,
            @Nullable String in,
            @Nullable String error) {

        Presented presented() {
            return new Presented(Inputs.required("id", id), Inputs.required("fence", fence), Optional.of(parsed()));
        }

        private Result parsed() {
            String because = error == null ? "The worker did not say why." : error;
            return switch (Inputs.required("result", result)) {
                case "done" -> Result.done();
                case "retry" -> in == null ? Result.retry(because) : Result.retryIn(Inputs.duration("in", in), because);
                case "reject" -> Result.reject(because);
                default ->
                    throw new IllegalArgumentException(
                            "'result' is '" + result + "'; use done, retry or reject. Nothing was changed.");
            };
        }
    }

    record Outcomes(List<Outcome> items) {}

    @PostMapping("/take")
    @Route(
            role = Role.PRODUCER,
            says =
                    "Takes messages for a worker outside; with 'wait' it is answered as soon as there are some. What is taken is the"
                            + " worker's for maxRun, also if this server ends.",
            takes = "{\"limit\":10,\"wait\":\"PT20S\"}",
            gives = "{\"items\":[{\"id\":\"order-1\",\"body\":\"{}\",\"fence\":1,\"attempt\":1,"
                    + "\"key\":\"default/orders/order-1#1\",\"priority\":5,\"putAt\":\"2026-01-01T10:00:00Z\"}],"
                    + "\"maxRun\":\"PT5M\"}")
    DeferredResult<TakeAnswer> take(
            @PathVariable String inbox,
            @RequestParam Optional<String> worker,
            @RequestBody(required = false) @Nullable TakeRequest request,
            Caller caller) {
        Optional<TakeRequest> asked = Optional.ofNullable(request);
        int limit = asked.map(TakeRequest::limit).orElse(1);
        Duration wait = asked.map(TakeRequest::longest)
                .map(text -> Inputs.duration("wait", text))
                .orElse(Duration.ZERO);
        String name = names.inboxForPut(inbox).name();
        CompletableFuture<List<Taken<Message>>> taken = workers.take(name, named(caller, worker), limit, wait);
        DeferredResult<TakeAnswer> answer =
                new DeferredResult<>(wait.plus(MARGIN).toMillis());
        answer.onError(gone -> taken.cancel(false));
        answer.onTimeout(() -> taken.cancel(false));
        var unused = taken.whenComplete((items, error) -> complete(answer, name, items, error));
        return answer;
    }

    private static WorkerName named(Caller caller, Optional<String> worker) {
        return new WorkerName(caller.name(), worker.orElse(WorkerName.USUAL));
    }

    private void complete(
            DeferredResult<TakeAnswer> answer,
            String inbox,
            @Nullable List<Taken<Message>> items,
            @Nullable Throwable error) {
        if (items != null) {
            answer.setResult(new TakeAnswer(items.stream().map(TakenView::of).toList(), workers.maxRun(inbox)));
        } else if (error != null) {
            answer.setErrorResult(error);
        }
    }

    @PostMapping("/renew")
    @Route(
            role = Role.PRODUCER,
            says =
                    "Prolongs claims: each lasts maxRun from now. 409 if one of them is not the worker's any more; the others are"
                            + " prolonged nevertheless.",
            takes = "[{\"id\":\"order-1\",\"fence\":1}]",
            gives = "{\"items\":[{\"id\":\"order-1\",\"kept\":true,\"open\":false,\"because\":\"\"}]}")
    ResponseEntity<Object> renew(
            @PathVariable String inbox,
            @RequestParam Optional<String> worker,
            @RequestBody List<@Nullable RenewItem> items,
            Caller caller) {
        List<Presented> presented =
                Inputs.all(items).stream().map(RenewItem::presented).toList();
        return answer(workers.renew(names.inbox(inbox).name(), named(caller, worker), presented));
    }

    @PostMapping("/finish")
    @Route(
            role = Role.PRODUCER,
            says =
                    "Says what became of messages: done, retry (with 'in') or reject. 409 if one of them is not the worker's any"
                            + " more, or is open: somebody holds its ordering key, so it is to be presented again; the others are"
                            + " written nevertheless. 503 if all are open. To send the same again is harmless.",
            takes = "[{\"id\":\"order-1\",\"fence\":1,\"result\":\"done\"},"
                    + "{\"id\":\"order-2\",\"fence\":3,\"result\":\"retry\",\"in\":\"PT30S\",\"error\":\"busy\"}]",
            gives = "{\"items\":[{\"id\":\"order-1\",\"kept\":true,\"open\":false,\"because\":\"\"}]}")
    ResponseEntity<Object> finish(
            @PathVariable String inbox,
            @RequestParam Optional<String> worker,
            @RequestBody List<@Nullable FinishItem> items,
            Caller caller) {
        List<Presented> presented =
                Inputs.all(items).stream().map(FinishItem::presented).toList();
        return answer(workers.finish(names.inbox(inbox).name(), named(caller, worker), presented));
    }

    /** Those that are lost or open are named: the others were written, and with an inbox that keeps nothing cannot be presented again. */
    private static ResponseEntity<Object> answer(List<Outcome> outcomes) {
        long lost = outcomes.stream().filter(Outcome::isLost).count();
        long open = outcomes.stream().filter(Outcome::open).count();
        if (lost + open == 0) {
            return ResponseEntity.ok(new Outcomes(outcomes));
        }
        List<String> details = new ArrayList<>();
        if (lost > 0) {
            details.add(lost + " of " + outcomes.size()
                    + " claims are not this worker's any more: nothing was written for them. Whoever"
                    + " has them now does the work; drop yours.");
        }
        if (open > 0) {
            details.add(open + " of " + outcomes.size()
                    + " results are open: they could not be written yet, because somebody holds the ordering keys of these messages. Present"
                    + " those again in a moment.");
        }
        HttpStatus status = open == outcomes.size() ? HttpStatus.SERVICE_UNAVAILABLE : HttpStatus.CONFLICT;
        ProblemDetail problem = ProblemDetail.forStatusAndDetail(status, String.join(" ", details));
        problem.setProperty("items", outcomes);
        ResponseEntity.BodyBuilder answer =
                ResponseEntity.status(status).contentType(MediaType.APPLICATION_PROBLEM_JSON);
        return (open > 0 ? answer.header(HttpHeaders.RETRY_AFTER, "1") : answer).body(problem);
    }
}
