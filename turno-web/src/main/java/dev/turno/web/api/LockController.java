package dev.turno.web.api;

import com.fasterxml.jackson.annotation.JsonProperty;
import dev.turno.claim.ClaimLostException;
import dev.turno.claim.Finish;
import dev.turno.lock.Lease;
import dev.turno.lock.LockPage;
import dev.turno.lock.LockTerms;
import dev.turno.lock.LockView;
import dev.turno.lock.Locks;
import dev.turno.lock.TakeOutcome;
import dev.turno.web.security.AuditNote;
import dev.turno.web.security.Caller;
import dev.turno.web.security.Role;
import dev.turno.web.security.Route;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.http.HttpStatus;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.DeleteMapping;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.PutMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

@RestController
@RequestMapping("/api/v1/locks")
class LockController {

    private static final Logger LOG = LoggerFactory.getLogger(LockController.class);
    private static final Duration LONGEST_WAIT = Duration.ofSeconds(30);

    private static final String OUTSIDE = "http:";

    private final Locks locks;
    private final WaitingPlaces places;

    LockController(Locks locks, WaitingPlaces places) {
        this.locks = locks;
        this.places = places;
    }

    record TakeRequest(
            @Nullable String holder,
            @Nullable String lease,
            @JsonProperty("wait") @Nullable String waitUpTo) {}

    record RenewRequest(@Nullable Long fence) {}

    record ForceRequest(@Nullable String reason) {}

    record Taken(long fence, Instant until) {}

    record Busy(String holder, Instant until) {}

    @PostMapping("/{name}")
    @Route(
            role = Role.PRODUCER,
            says =
                    "Takes a lock for a holder outside, who has to renew it in time; 409 says who has it and until when.",
            takes = "{\"holder\":\"php-worker-3\",\"lease\":\"PT30S\",\"wait\":\"PT2S\"}",
            gives = "{\"fence\":12,\"until\":\"2030-01-01T10:00:30Z\"}")
    ResponseEntity<Object> take(@PathVariable String name, @RequestBody TakeRequest request, Caller caller) {
        String holder = Inputs.required("holder", request.holder());
        LockTerms terms = LockTerms.of(t -> {
            t.renewing(false).user(holder).service(serviceOf(caller));
            Optional.ofNullable(request.lease()).ifPresent(text -> t.lease(Inputs.duration("lease", text)));
            Optional.ofNullable(request.waitUpTo()).ifPresent(text -> t.waitUpTo(waitOf(text)));
        });
        TakeOutcome<Lease> outcome = terms.waitUpTo().isZero()
                ? locks.tryTake(name, terms)
                : places.waiting(() -> locks.tryTake(name, terms));
        return outcome.fold(
                taken -> ResponseEntity.ok(taken(taken.lease())),
                busy -> ResponseEntity.status(HttpStatus.CONFLICT).body(busy(name, busy)),
                away -> {
                    LOG.warn("Lock '{}' could not be taken for a caller: {}", name, away.why());
                    throw new UnavailableException("The database could not be asked. If it took the lock '" + name
                            + "' nevertheless, that lapses after its lease. Ask again in a moment.");
                });
    }

    /** Under which the leases of a token are stored: fences are small numbers, so whoever presents one must also have taken it. */
    private static String serviceOf(Caller caller) {
        return OUTSIDE + caller.name();
    }

    private static Duration waitOf(String text) {
        Duration wait = Inputs.duration("wait", text);
        if (wait.compareTo(LONGEST_WAIT) > 0) {
            throw new IllegalArgumentException(
                    "'wait' is " + wait + "; wait at most " + LONGEST_WAIT + ", then ask again.");
        }
        return wait;
    }

    /** Until when by the database's clock; the lease's own estimate if it was lost in this moment. */
    private Taken taken(Lease lease) {
        Instant until = locks.holderOf(lease.name())
                .filter(view -> view.fence() == lease.fence())
                .map(LockView::until)
                .orElseGet(() -> Instant.now().plus(lease.remaining()));
        return new Taken(lease.fence(), until);
    }

    private Busy busy(String name, TakeOutcome.Busy<Lease> busy) {
        return new Busy(locks.holderOf(name).map(LockController::holderOf).orElse(busy.holder()), busy.until());
    }

    /** Holders outside are known by the name they gave, processes by that of their node. */
    private static String holderOf(LockView view) {
        return view.user().isBlank() ? view.node() : view.user();
    }

    @PutMapping("/{name}")
    @Route(
            role = Role.PRODUCER,
            says = "Renews a lock for another lease; 409 if this token does not hold it under this fence.",
            takes = "{\"fence\":12}",
            gives = "{\"fence\":12,\"until\":\"2030-01-01T10:01:00Z\"}")
    Taken renew(@PathVariable String name, @RequestBody RenewRequest request, Caller caller) {
        Lease lease = leaseOf(name, Inputs.required("fence", request.fence()), caller);
        if (lease.renew() instanceof Finish.Lost lost) {
            throw new ClaimLostException(lost.toString());
        }
        return taken(lease);
    }

    private Lease leaseOf(String name, long fence, Caller caller) {
        Lease lease = locks.leaseOf(name, fence);
        boolean own = locks.holderOf(name)
                .filter(view -> view.fence() == fence && view.service().equals(serviceOf(caller)))
                .isPresent();
        if (!own) {
            throw new ClaimLostException("Lock '" + name + "' is not held by the token '" + caller.name()
                    + "'. Nothing was changed. Only the token that took it can renew or release it; an operator can take it"
                    + " from its holder with force-release.");
        }
        return lease;
    }

    @DeleteMapping("/{name}")
    @Route(
            role = Role.PRODUCER,
            says = "Gives a lock back; 409 if this token does not hold it under this fence.",
            gives = "{\"name\":\"report\",\"released\":true}")
    Map<String, Object> release(@PathVariable String name, @RequestParam long fence, Caller caller) {
        if (leaseOf(name, fence, caller).release() instanceof Finish.Lost lost) {
            throw new ClaimLostException(lost.toString());
        }
        return Map.of("name", name, "released", true);
    }

    @GetMapping
    @Route(
            role = Role.VIEWER,
            says = "The locks that are taken now, by name.",
            gives =
                    "{\"items\":[{\"name\":\"report\",\"node\":\"node-a\",\"until\":\"2030-01-01T10:00:30Z\",\"user\":\"\","
                            + "\"fence\":12}],\"next\":null}")
    Items<LockView> list(@RequestParam Optional<String> after, @RequestParam(defaultValue = "100") int limit) {
        LockPage page = locks.list(Inputs.searched(after), Inputs.limit(limit));
        return Items.of(page.items(), page.next());
    }

    @GetMapping("/{name}")
    @Route(role = Role.VIEWER, says = "Who has the lock, since when and until when; 404 if nobody has.")
    LockView show(@PathVariable String name) {
        return locks.holderOf(name).orElseThrow(() -> new NotFoundException("Nobody has the lock '" + name + "'."));
    }

    @PostMapping("/{name}/force-release")
    @Route(
            role = Role.OPERATOR,
            says = "Takes a lock from whoever has it; 404 if nobody has.",
            takes = "{\"reason\":\"its holder was switched off\"}",
            gives = "{\"name\":\"report\",\"takenFrom\":\"node-a\"}")
    Map<String, Object> forceRelease(
            @PathVariable String name, @RequestBody ForceRequest request, Caller caller, AuditNote note) {
        String reason = Inputs.required("reason", request.reason());
        note.because(reason);
        LockView view = locks.forceRelease(name, reason, caller.name())
                .orElseThrow(() -> new NotFoundException("Nobody has the lock '" + name + "'. Nothing was changed."));
        note.about("taken from " + holderOf(view) + " on " + view.node() + ", fence " + view.fence());
        return Map.of("name", name, "takenFrom", holderOf(view));
    }
}
