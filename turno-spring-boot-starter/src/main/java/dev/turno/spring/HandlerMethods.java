package dev.turno.spring;

import dev.turno.Turno;
import dev.turno.buffer.Burst;
import dev.turno.inbox.Message;
import dev.turno.task.NewSchedule;
import dev.turno.task.Task;
import java.lang.annotation.Annotation;
import java.lang.reflect.Method;
import java.time.ZoneId;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Supplier;
import org.springframework.aop.framework.autoproxy.AutoProxyUtils;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.core.MethodIntrospector;
import org.springframework.core.annotation.AnnotatedElementUtils;
import org.springframework.core.annotation.AnnotationUtils;
import org.springframework.transaction.PlatformTransactionManager;
import tools.jackson.databind.json.JsonMapper;

/** Finds the beans' handler methods when all beans are there, and begins to handle when the application starts. */
final class HandlerMethods implements TurnoWork, SmartInitializingSingleton {

    private static final Set<Class<? extends Annotation>> ANNOTATIONS =
            Set.of(InboxHandler.class, BurstHandler.class, TaskHandler.class, TurnoCron.class);

    private static final HandlerMethod.Shape<Message> MESSAGES =
            new HandlerMethod.Shape<>(InboxHandler.class, Message.class, Message::body, true);
    private static final HandlerMethod.Shape<Burst> BURSTS =
            new HandlerMethod.Shape<>(BurstHandler.class, Burst.class, Burst::text, false);

    private static final HandlerMethod.Shape<Task> TASKS =
            new HandlerMethod.Shape<>(TaskHandler.class, Task.class, Task::body, true);
    private static final HandlerMethod.Shape<Task> CRON_RUNS =
            new HandlerMethod.Shape<>(TurnoCron.class, Task.class, Task::body, false);

    /** A method, and how to begin with it. */
    private record Found(String method, TurnoWork work) {}

    private final ConfigurableListableBeanFactory beans;
    private final TurnoProperties properties;
    private final JsonMapper mapper;
    private final Tracing tracing;
    private final TurnoTemplate template;
    private final Transactions transactions;
    private final Map<String, Found> found = new LinkedHashMap<>();

    HandlerMethods(
            ConfigurableListableBeanFactory beans,
            TurnoProperties properties,
            JsonMapper mapper,
            Tracing tracing,
            TurnoTemplate template,
            Transactions transactions) {
        this.beans = beans;
        this.properties = properties;
        this.mapper = mapper;
        this.tracing = tracing;
        this.template = template;
        this.transactions = transactions;
    }

    @Override
    public void afterSingletonsInstantiated() {
        for (String name : beans.getBeanNamesForType(Object.class, false, false)) {
            Class<?> type = AutoProxyUtils.determineTargetClass(beans, name);
            if (type != null && AnnotationUtils.isCandidateClass(type, ANNOTATIONS)) {
                look(name, type);
            }
        }
    }

    private void look(String bean, Class<?> type) {
        Supplier<Object> instance = () -> beans.getBean(bean);
        methods(bean, type, InboxHandler.class).forEach((method, annotation) -> addInbox(instance, method, annotation));
        methods(bean, type, BurstHandler.class)
                .forEach((method, annotation) -> addBuffer(instance, method, annotation));
        methods(bean, type, TaskHandler.class).forEach((method, annotation) -> addTask(instance, method, annotation));
        methods(bean, type, TurnoCron.class).forEach((method, annotation) -> addCron(instance, method, annotation));
    }

    private <A extends Annotation> Map<Method, A> methods(String bean, Class<?> type, Class<A> annotation) {
        Map<Method, A> methods = MethodIntrospector.selectMethods(type, (MethodIntrospector.MetadataLookup<A>)
                method -> AnnotatedElementUtils.findMergedAnnotation(method, annotation));
        Class<?> asOthersGetIt = beans.getType(bean);
        if (asOthersGetIt != null) {
            methods.keySet().forEach(method -> BehindProxy.requireCallable(asOthersGetIt, method, annotation));
        }
        return methods;
    }

    private void addInbox(Supplier<Object> bean, Method method, InboxHandler annotation) {
        String inbox = resolved(annotation.value());
        HandlerMethod<Message> called = new HandlerMethod<>(MESSAGES, bean, method, mapper);
        Handling<Message> handler = handler("inbox", inbox, called, Message::trace, annotation.transactional());
        add(
                "inbox",
                inbox,
                called,
                turno -> turno.handle(turno.inbox(inbox, properties.inbox(inbox)), handler::handle));
    }

    private void addBuffer(Supplier<Object> bean, Method method, BurstHandler annotation) {
        String buffer = resolved(annotation.value());
        HandlerMethod<Burst> called = new HandlerMethod<>(BURSTS, bean, method, mapper);
        // A burst joins many traces; which of them it should go on with nobody can say. It starts its own.
        Handling<Burst> handler =
                handler("buffer", buffer, called, burst -> Optional.empty(), annotation.transactional());
        add(
                "buffer",
                buffer,
                called,
                turno -> turno.handle(turno.buffers(buffer, properties.buffer(buffer)), handler::handle));
    }

    private void addTask(Supplier<Object> bean, Method method, TaskHandler annotation) {
        String type = resolved(annotation.value());
        HandlerMethod<Task> called = new HandlerMethod<>(TASKS, bean, method, mapper);
        Handling<Task> handler = handler("task", type, called, task -> Optional.empty(), annotation.transactional());
        add("task", type, called, turno -> turno.handleTasks(type, properties.task(type), handler::handle));
    }

    private void addCron(Supplier<Object> bean, Method method, TurnoCron annotation) {
        String name = resolved(annotation.name());
        HandlerMethod<Task> called = new HandlerMethod<>(CRON_RUNS, bean, method, mapper);
        Handling<Task> handler = handler("task", name, called, task -> Optional.empty(), annotation.transactional());
        NewSchedule schedule = schedule(annotation, name, called);
        add("task", name, called, turno -> {
            turno.handleTasks(name, properties.task(name), handler::handle);
            turno.tasks().crons().define(schedule);
        });
    }

    private NewSchedule schedule(TurnoCron annotation, String name, HandlerMethod<Task> method) {
        String zone = resolved(annotation.zone());
        try {
            return NewSchedule.of(
                            name,
                            resolved(annotation.value()),
                            zone.isEmpty() ? ZoneId.systemDefault().getId() : zone,
                            name,
                            "{}")
                    .ifMissed(annotation.missed());
        } catch (IllegalArgumentException e) {
            throw new StartException(
                    "The @TurnoCron of " + method.name() + " cannot be used: " + e.getMessage(),
                    "Correct its cron line, its zone or its name.",
                    e);
        }
    }

    private <R> Handling<R> handler(
            String kind,
            String name,
            HandlerMethod<R> method,
            Function<R, Optional<String>> trace,
            boolean transactional) {
        Handling<R> handler =
                transactional ? new InTransaction<>(transactionManager(method), template, method) : method;
        return tracing.receiving(kind, name, trace, handler);
    }

    private PlatformTransactionManager transactionManager(HandlerMethod<?> method) {
        return transactions
                .ofTurno()
                .orElseThrow(
                        () -> new StartException(
                                "The handler " + method.name()
                                        + " is transactional, but there is no single transaction manager of Turno's data source.",
                                "Define a PlatformTransactionManager for Turno's data source, and mark it as @Primary if there are several."));
    }

    private void add(String kind, String name, HandlerMethod<?> method, TurnoWork work) {
        Found other = found.putIfAbsent(kind + " " + name, new Found(method.name(), work));
        if (other != null) {
            throw new StartException(
                    "The " + kind + " '" + name + "' has two handlers: " + other.method() + " and " + method.name()
                            + ".",
                    "Keep one of them, or let each have a name of its own. For more at once, set turno." + kind
                            + (kind.equals("inbox") ? "es." : "s.") + name + ".threads.");
        }
    }

    private String resolved(String name) {
        String value = beans.resolveEmbeddedValue(name);
        return value == null ? name : value;
    }

    @Override
    public void begin(Turno turno) {
        found.values().forEach(one -> one.work().begin(turno));
    }
}
