package dev.turno.web.api;

import dev.turno.watch.Watcher;
import dev.turno.watch.WorkEvent;
import java.io.IOException;
import java.lang.reflect.RecordComponent;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.context.SmartLifecycle;
import org.springframework.http.MediaType;
import org.springframework.web.servlet.mvc.method.annotation.SseEmitter;
import tools.jackson.databind.json.JsonMapper;

/**
 * What happens in this process, told to whoever listens over HTTP. Shared by threads; owns one thread that gathers, and one for each
 * stream while it is written to. A listener that is slow misses events and holds up nobody.
 */
public final class EventStreams implements Watcher, SmartLifecycle {

    private static final Logger LOG = LoggerFactory.getLogger(EventStreams.class);
    private static final int MOST_STREAMS = 100;
    private static final int MOST_WAITING = 10_000;
    private static final int MOST_AT_ONCE = 500;
    private static final long EVERY = Duration.ofMillis(200).toNanos();
    private static final long SIGN_OF_LIFE = Duration.ofSeconds(15).toNanos();
    private static final long REVIEW = Duration.ofSeconds(2).toNanos();

    private static final class Stream {
        private final SseEmitter emitter = new SseEmitter(0L);
        private final AtomicBoolean busy = new AtomicBoolean();
        private final BooleanSupplier mayListen;

        Stream(BooleanSupplier mayListen) {
            this.mayListen = mayListen;
        }
    }

    /** The threads between a start and the stop after it. */
    private record Crew(Thread gatherer, ExecutorService writers) {}

    private final JsonMapper json = JsonMapper.shared();
    private final BlockingQueue<WorkEvent> waiting = new ArrayBlockingQueue<>(MOST_WAITING);
    private final Set<Stream> streams = ConcurrentHashMap.newKeySet();
    private final AtomicInteger threads = new AtomicInteger();
    private volatile Optional<Crew> crew = Optional.empty(); // none: stopped

    private Thread thread(Runnable work) {
        Thread thread = new Thread(work, "turno-events-" + threads.incrementAndGet());
        thread.setDaemon(true);
        return thread;
    }

    @Override
    public void on(WorkEvent event) {
        if (!streams.isEmpty()) {
            boolean unused = waiting.offer(event); // full: too much at once for anybody to read
        }
    }

    /** @param mayListen asked every other second: a stream ends when its listener may not listen any more */
    synchronized SseEmitter open(BooleanSupplier mayListen) {
        // Not beside a stop: that would not hear of it, and the stream would stay open.
        if (!isRunning()) {
            throw new UnavailableException("The server is stopping. Ask another one, or again in a moment.");
        }
        if (streams.size() >= MOST_STREAMS) {
            throw new TooManyException(
                    "There are " + MOST_STREAMS + " event streams open. Close one, or ask /overview now and then.");
        }
        Stream stream = new Stream(mayListen);
        stream.emitter.onCompletion(() -> streams.remove(stream));
        stream.emitter.onTimeout(() -> streams.remove(stream));
        stream.emitter.onError(error -> streams.remove(stream));
        streams.add(stream);
        write(stream, SseEmitter.event().comment("open"));
        return stream.emitter;
    }

    private void gather() {
        long lastSign = System.nanoTime();
        long lastReview = lastSign;
        while (isCrew(Thread.currentThread())) {
            LockSupport.parkNanos(EVERY);
            try {
                if (System.nanoTime() - lastReview > REVIEW) {
                    lastReview = System.nanoTime();
                    streams.forEach(this::endUnlessGood);
                }
                List<WorkEvent> events = new ArrayList<>();
                waiting.drainTo(events, MOST_AT_ONCE);
                if (!events.isEmpty()) {
                    String text = json.writeValueAsString(
                            events.stream().map(EventStreams::described).toList());
                    tellAll(() -> SseEmitter.event().name("work").data(text, MediaType.TEXT_PLAIN));
                } else if (System.nanoTime() - lastSign > SIGN_OF_LIFE) {
                    lastSign = System.nanoTime();
                    // An event, because a page hears no comments: what is silent for longer is away, though its
                    // connection stands.
                    tellAll(() -> SseEmitter.event().name("alive").data("yes", MediaType.TEXT_PLAIN));
                }
            } catch (Throwable e) {
                LOG.warn("Events could not be told; it goes on with the next.", e);
            }
        }
    }

    private boolean isCrew(Thread gatherer) {
        return crew.filter(now -> now.gatherer() == gatherer).isPresent();
    }

    private void endUnlessGood(Stream stream) {
        try {
            if (!stream.mayListen.getAsBoolean()) {
                writers().execute(stream.emitter::complete); // if that is refused, it is asked again
                streams.remove(stream);
            }
        } catch (RuntimeException e) {
            LOG.info("A listener could not be asked for again; its stream goes on: {}", e.toString());
        }
    }

    private void tellAll(Supplier<SseEmitter.SseEventBuilder> event) {
        streams.forEach(stream -> write(stream, event.get()));
    }

    private void write(Stream stream, SseEmitter.SseEventBuilder event) {
        if (!stream.busy.compareAndSet(false, true)) {
            return; // still writing the one before: it misses this one
        }
        try {
            writers().execute(() -> send(stream, event));
        } catch (Throwable e) {
            // No thread is to be had, or it stops just now: it misses this one too, and the others do not.
            stream.busy.set(false);
            LOG.debug("An event could not be told to a listener; it goes on with the next.", e);
        }
    }

    private Executor writers() {
        return crew.<Executor>map(Crew::writers).orElse(work -> {
            throw new RejectedExecutionException("The server is stopping.");
        });
    }

    private void send(Stream stream, SseEmitter.SseEventBuilder event) {
        try {
            stream.emitter.send(event);
        } catch (IOException | IllegalStateException e) {
            streams.remove(stream);
            stream.emitter.completeWithError(e);
        } finally {
            stream.busy.set(false);
        }
    }

    private static Map<String, Object> described(WorkEvent event) {
        Map<String, Object> described = new LinkedHashMap<>();
        described.put("type", event.getClass().getSimpleName());
        for (RecordComponent component : event.getClass().getRecordComponents()) {
            described.put(component.getName(), plain(value(event, component)));
        }
        return described;
    }

    private static Object value(WorkEvent event, RecordComponent component) {
        try {
            return component.getAccessor().invoke(event);
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException(e);
        }
    }

    private static Object plain(Object value) {
        return value instanceof Number || value instanceof Boolean ? value : value.toString();
    }

    @Override
    public void start() {
        start(new ThreadPoolExecutor(
                0, 2 * MOST_STREAMS, 10, TimeUnit.SECONDS, new SynchronousQueue<>(), this::thread));
    }

    synchronized void start(ExecutorService writers) {
        Thread gatherer = thread(this::gather);
        crew = Optional.of(new Crew(gatherer, writers));
        gatherer.start();
    }

    /** Before the web server waits for its requests to end: a stream never ends by itself. */
    @Override
    public synchronized void stop() {
        Optional<Crew> last = crew;
        crew = Optional.empty();
        streams.forEach(stream -> stream.emitter.complete());
        last.ifPresent(now -> {
            LockSupport.unpark(now.gatherer());
            now.writers().shutdown();
        });
    }

    @Override
    public boolean isRunning() {
        return crew.isPresent();
    }
}
