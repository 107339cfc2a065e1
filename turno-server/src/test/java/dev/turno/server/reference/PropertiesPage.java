package dev.turno.server.reference;

import java.lang.reflect.Parameter;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import java.util.Comparator;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.context.annotation.ClassPathScanningCandidateComponentProvider;
import org.springframework.core.type.filter.AnnotationTypeFilter;

/** Every property: names, types and defaults from the records that bind them, words from their sources. */
final class PropertiesPage {

    /** What is asked for one by one, and bound to no record. */
    private static final Map<String, String> SINGLE = new TreeMap<>(Map.of(
            "turno.admin.token", "the first admin's token, of 16 characters or more; better as `TURNO_ADMIN_TOKEN`",
            "turno.certification.enabled", "whether the certification service is there; default true",
            "turno.harvester.enabled", "whether the harvester is there; default true",
            "turno.demo", "sample traffic, as `./turno up --demo`; default false",
            "turno.oidc.role-claim", "the claim of a JWT that names the role; default `turno_role`"));

    private static final Pattern ASKED =
            Pattern.compile("(?:ConditionalOn\\w*Property|getProperty)\\(\\s*(?:name = )?\"(turno\\.[a-z.-]+)\"");

    private final StringBuilder page = new StringBuilder();

    static String drawn() {
        return new PropertiesPage().draw();
    }

    /** The properties that the code asks for by their names. */
    static Iterable<String> asked() {
        return Sources.all()
                .flatMap(source -> ASKED.matcher(source).results())
                .map(found -> found.group(1))
                .sorted()
                .distinct()
                .toList();
    }

    private String draw() {
        page.append("""
                # Properties

                In `application.properties` of an application with the starter, or for the server as `--set NAME=VALUE` or an environment
                variable (`TURNO_HOLDER_LEASE`). An option that does not exist is refused at the start, with the nearest one that does, under
                `turno.inboxes`, `buffers`, `tasks`, `actions`, `locks`, `runs`, `holder`, `schema` and `pool`; environment variables and system
                properties (`-D`) are not looked at. A name in `<...>` that has a dot, an underscore or capitals goes into brackets:
                `turno.inboxes[orders.eu].threads`.
                """);
        var finder = new ClassPathScanningCandidateComponentProvider(false);
        finder.addIncludeFilter(new AnnotationTypeFilter(ConfigurationProperties.class));
        finder.findCandidateComponents("dev.turno").stream()
                .map(found -> type(Objects.requireNonNull(found.getBeanClassName())))
                .sorted(Comparator.comparing(type ->
                        type.getAnnotation(ConfigurationProperties.class).value()))
                .forEach(this::table);
        page.append("\n## Others\n\n| property | |\n|---|---|\n");
        SINGLE.forEach((name, text) -> page.append("| `%s` | %s |\n".formatted(name, text)));
        return page.toString();
    }

    private static Class<?> type(String name) {
        try {
            return Class.forName(name);
        } catch (ClassNotFoundException e) {
            throw new IllegalStateException(e);
        }
    }

    private void table(Class<?> type) {
        String prefix = type.getAnnotation(ConfigurationProperties.class).value();
        page.append("\n## %s\n\n| property | type | default | |\n|---|---|---|---|\n".formatted(prefix));
        rows(prefix, type);
    }

    private void rows(String prefix, Class<?> type) {
        Map<String, String> words = words(type);
        Parameter[] parameters = type.getDeclaredConstructors()[0].getParameters();
        RecordComponent[] components = type.getRecordComponents();
        for (int i = 0; i < components.length; i++) {
            RecordComponent component = components[i];
            String name = prefix + "."
                    + component.getName().replaceAll("([A-Z])", "-$1").toLowerCase(Locale.ROOT);
            Type nested = nested(component);
            if (nested instanceof Class<?> record && record.isRecord()) {
                rows(component.getType() == Map.class ? name + ".<name>" : name, record);
            } else {
                row(name, component, usual(parameters[i]), words.getOrDefault(component.getName(), ""));
            }
        }
    }

    private static Type nested(RecordComponent component) {
        if (component.getType() == Map.class && component.getGenericType() instanceof ParameterizedType map) {
            return map.getActualTypeArguments()[1];
        }
        return component.getType();
    }

    private void row(String name, RecordComponent component, String usual, String words) {
        page.append("| `%s` | %s | %s | %s |\n".formatted(name, kind(component.getGenericType()), usual, words));
    }

    private static String usual(Parameter parameter) {
        DefaultValue usual = parameter.getAnnotation(DefaultValue.class);
        return usual == null || usual.value().length == 0 ? "" : "`" + String.join("`, `", usual.value()) + "`";
    }

    private static String kind(Type type) {
        return type.getTypeName()
                .replaceAll("[a-z]+\\.", "")
                .replaceAll("\\w+\\$", "")
                .replace("Optional<String>", "String");
    }

    /** What the record's comment says of each component. */
    private static Map<String, String> words(Class<?> type) {
        Map<String, String> words = new TreeMap<>();
        String source = Sources.of(type);
        String before = source.substring(0, source.indexOf("record " + type.getSimpleName() + "("));
        String comment = before.substring(before.lastIndexOf("/**\n"), before.lastIndexOf("*/\n"));
        Matcher parameters = Pattern.compile("@param (\\w+)(.*?)(?=@param|$)", Pattern.DOTALL)
                .matcher(comment);
        while (parameters.find()) {
            words.put(
                    parameters.group(1),
                    parameters
                            .group(2)
                            .replaceAll("\\s*\\n\\s*\\*\\s*", " ")
                            .replaceAll("\\{@code (\\{?[^}]*}?)}", "`$1`")
                            .strip());
        }
        return words;
    }
}
