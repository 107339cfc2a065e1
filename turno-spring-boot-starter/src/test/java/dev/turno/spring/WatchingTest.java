package dev.turno.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.turno.Turno;
import dev.turno.claim.Result;
import dev.turno.inbox.Message;
import dev.turno.lock.Locks;
import dev.turno.run.Job;
import dev.turno.run.RunOptions;
import dev.turno.run.RunRequest;
import dev.turno.run.Runs;
import dev.turno.run.Source;
import dev.turno.run.Step;
import dev.turno.testkit.database.FreshDatabase;
import dev.turno.testkit.database.TestDatabase;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.search.MeterNotFoundException;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.micrometer.observation.ObservationHandler.FirstMatchingCompositeObservationHandler;
import io.micrometer.observation.ObservationRegistry;
import io.micrometer.tracing.Span;
import io.micrometer.tracing.Tracer;
import io.micrometer.tracing.handler.DefaultTracingObservationHandler;
import io.micrometer.tracing.handler.PropagatingReceiverTracingObservationHandler;
import io.micrometer.tracing.handler.PropagatingSenderTracingObservationHandler;
import io.micrometer.tracing.otel.bridge.OtelCurrentTraceContext;
import io.micrometer.tracing.otel.bridge.OtelPropagator;
import io.micrometer.tracing.otel.bridge.OtelTracer;
import io.opentelemetry.api.trace.propagation.W3CTraceContextPropagator;
import io.opentelemetry.context.propagation.ContextPropagators;
import io.opentelemetry.sdk.trace.SdkTracerProvider;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.boot.health.contributor.Status;
import org.springframework.boot.micrometer.metrics.autoconfigure.CompositeMeterRegistryAutoConfiguration;
import org.springframework.boot.micrometer.metrics.autoconfigure.MetricsAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

class WatchingTest {

    /** A real tracer, with W3C's propagation. */
    static final class Traces {

        final Tracer tracer;
        final ObservationRegistry registry = ObservationRegistry.create();

        Traces() {
            var otel = SdkTracerProvider.builder().build().get("test");
            tracer = new OtelTracer(otel, new OtelCurrentTraceContext(), event -> {});
            var propagator =
                    new OtelPropagator(ContextPropagators.create(W3CTraceContextPropagator.getInstance()), otel);
            registry.observationConfig()
                    .observationHandler(new FirstMatchingCompositeObservationHandler(
                            new PropagatingSenderTracingObservationHandler<>(tracer, propagator),
                            new PropagatingReceiverTracingObservationHandler<>(tracer, propagator),
                            new DefaultTracingObservationHandler(tracer)));
        }
    }

    static class Handlers {

        final BlockingQueue<Map<String, String>> seen = new LinkedBlockingQueue<>();
        private final Optional<Traces> traces;

        Handlers(Optional<Traces> traces) {
            this.traces = traces;
        }

        @InboxHandler("orders")
        Result handle(String body, Message message) {
            String trace = traces.map(one -> one.tracer.currentSpan())
                    .map(span -> span.context().traceId())
                    .orElse("none");
            seen.add(Map.of("trace", trace, "stored", message.trace().orElse("none")));
            return body.equals("bad") ? Result.reject("bad") : Result.done();
        }

        Map<String, String> next() throws InterruptedException {
            Map<String, String> next = seen.poll(30, TimeUnit.SECONDS);
            return next == null ? Map.of() : next;
        }
    }

    private final ApplicationContextRunner application = Applications.onH2().withBean(Handlers.class);

    @Test
    void a_handler_goes_on_with_the_trace_in_which_its_message_was_put() {
        Traces traces = new Traces();
        application
                .withBean(Traces.class, () -> traces)
                .withBean(ObservationRegistry.class, () -> traces.registry)
                .run(context -> {
                    Span request = traces.tracer.nextSpan().name("request").start();
                    try (Tracer.SpanInScope scope = traces.tracer.withSpan(request)) {
                        context.getBean(TurnoTemplate.class).put("orders", "1", "good");
                    } finally {
                        request.end();
                    }

                    Map<String, String> seen = context.getBean(Handlers.class).next();
                    assertThat(seen.get("trace"))
                            .isEqualTo(request.context().traceId())
                            .isNotEqualTo("none");
                    assertThat(seen.get("stored"))
                            .startsWith("traceparent: 00-" + request.context().traceId());
                });
    }

    @Test
    void without_tracing_nothing_is_stored() {
        application.run(context -> {
            context.getBean(TurnoTemplate.class).put("orders", "1", "good");

            assertThat(context.getBean(Handlers.class).next()).containsEntry("stored", "none");
        });
    }

    @Test
    void what_happens_is_counted_and_what_waits_is_shown() {
        application
                .withBean(SimpleMeterRegistry.class)
                .withConfiguration(AutoConfigurations.of(
                        MetricsAutoConfiguration.class, CompositeMeterRegistryAutoConfiguration.class))
                .run(context -> {
                    MeterRegistry meters = context.getBean(MeterRegistry.class);
                    TurnoTemplate template = context.getBean(TurnoTemplate.class);
                    template.put("orders", "1", "good");
                    template.put("orders", "2", "bad");
                    context.getBean(Locks.class).whileHolding("report", lease -> "written");

                    await().ignoreExceptionsInstanceOf(MeterNotFoundException.class)
                            .untilAsserted(() -> {
                                assertThat(meters.get("turno.taken")
                                                .tags("kind", "inbox", "name", "orders")
                                                .counter()
                                                .count())
                                        .isEqualTo(2);
                                assertThat(meters.get("turno.done")
                                                .tag("name", "orders")
                                                .counter()
                                                .count())
                                        .isEqualTo(1);
                                assertThat(meters.get("turno.dead")
                                                .tag("name", "orders")
                                                .counter()
                                                .count())
                                        .isEqualTo(1);
                            });
                    assertThat(meters.get("turno.take.batch").summary().totalAmount())
                            .isEqualTo(2);
                    assertThat(meters.get("turno.locks.taken").counter().count())
                            .isEqualTo(1);
                    assertThat(meters.get("turno.inbox.dead")
                                    .tag("name", "orders")
                                    .gauge()
                                    .value())
                            .isEqualTo(1);
                    assertThat(meters.get("turno.inbox.pending")
                                    .tag("name", "orders")
                                    .gauge()
                                    .value())
                            .isZero();
                });
    }

    @Test
    void what_is_dead_or_late_is_shown_after_a_restart_although_nobody_works_on_it() {
        try (FreshDatabase database = TestDatabase.H2.fresh()) {
            try (Turno before = Turno.start(database.dataSource())) {
                before.inbox("invoices").put("1", "{}");
                before.buffers("chat").add("ana", "hola");
                before.tasks().schedule("report", "{}", Instant.now().minusSeconds(60));
                failForGood(before);
            }

            Applications.on(database)
                    .withBean(SimpleMeterRegistry.class)
                    .withConfiguration(AutoConfigurations.of(
                            MetricsAutoConfiguration.class, CompositeMeterRegistryAutoConfiguration.class))
                    .run(context -> {
                        MeterRegistry meters = context.getBean(MeterRegistry.class);
                        assertThat(gauge(meters, "turno.inbox.pending", "invoices"))
                                .isEqualTo(1);
                        assertThat(gauge(meters, "turno.buffer.pending", "chat"))
                                .isEqualTo(1);
                        assertThat(gauge(meters, "turno.task.overdue", "report"))
                                .isEqualTo(1);
                        assertThat(gauge(meters, "turno.runs.dead", "")).isEqualTo(1);
                        assertThat(context.getBean(Turno.class).openInboxes())
                                .as("to look is not to open")
                                .isEmpty();
                    });
        }
    }

    private static void failForGood(Turno turno) {
        Runs runs = turno.runs(RunOptions.of(options -> options.maxAttempts(1)));
        runs.add(Job.of(
                "harvest",
                Source.iterator(run -> {
                    throw new IllegalStateException("no source");
                }),
                Step.each((item, page) -> {})));
        turno.work(runs);
        runs.submit(RunRequest.of("harvest")).orThrow();
        await().until(() -> runs.counts().dead() == 1);
    }

    private static double gauge(MeterRegistry meters, String meter, String name) {
        return meters.get(meter).tag("name", name).gauge().value();
    }

    @Test
    void what_others_begin_later_is_shown_too_but_not_without_end() {
        MeterRegistry registry = new SimpleMeterRegistry();
        try (FreshDatabase database = TestDatabase.H2.fresh();
                Turno here = Turno.start(database.dataSource());
                Turno there = Turno.start(database.dataSource());
                Meters meters = new Meters(Duration.ofMillis(50))) {
            meters.bindTo(registry);
            meters.begin(here);
            assertThat(registry.find("turno.inbox.pending").gauges()).isEmpty();

            there.inbox("a").put("1", "{}");
            await().until(() -> registry.find("turno.inbox.pending").gauge() != null);
            assertThat(gauge(registry, "turno.inbox.pending", "a")).isEqualTo(1);

            for (int i = 0; i <= Meters.MOST_NAMES; i++) {
                there.inbox("b" + i);
            }
            await().during(Duration.ofMillis(300))
                    .until(() -> registry.find("turno.inbox.pending").gauges().size() == Meters.MOST_NAMES);
        }
    }

    @Test
    void health_is_down_while_the_database_is_away_and_up_when_it_is_back() throws Exception {
        try (var server = TestDatabase.H2.newServer();
                FreshDatabase database = server.fresh()) {
            Applications.on(database)
                    .withBean(Handlers.class)
                    // With a shorter one a busy machine looks like a database that is away.
                    .withPropertyValues("turno.holder.lease=6s")
                    .run(context -> {
                        HealthIndicator health = context.getBean(HealthIndicator.class);
                        await().until(() -> status(health).equals(Status.UP));

                        server.kill9();
                        await().atMost(Duration.ofSeconds(30))
                                .until(() -> status(health).equals(Status.DOWN));

                        server.restart();
                        await().atMost(Duration.ofSeconds(30))
                                .until(() -> status(health).equals(Status.UP));
                        Turno turno = context.getBean(Turno.class);
                        turno.inbox("orders").put("after", "good");
                        await().until(() -> turno.inbox("orders").counts().done() == 1);
                    });
        }
    }

    private static Status status(HealthIndicator health) {
        var told = health.health();
        return told == null ? Status.UNKNOWN : told.getStatus();
    }
}
