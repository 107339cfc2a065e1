package dev.turno.spring;

import java.lang.reflect.ParameterizedType;
import java.lang.reflect.RecordComponent;
import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.springframework.beans.PropertyMatches;
import org.springframework.boot.context.properties.bind.BindException;
import org.springframework.boot.context.properties.bind.BindHandler;
import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.context.properties.bind.UnboundConfigurationPropertiesException;
import org.springframework.boot.context.properties.bind.handler.NoUnboundElementsBindHandler;
import org.springframework.boot.context.properties.source.ConfigurationProperty;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName.Form;
import org.springframework.boot.context.properties.source.UnboundElementsSourceFilter;
import org.springframework.core.env.Environment;

/**
 * A misspelt option would otherwise be passed over in silence. Looked at are the groups of {@link TurnoProperties} only: what else
 * begins with {@code turno} may be another module's.
 */
final class UnknownOptions {

    private static final String PREFIX = "turno";
    private static final Pattern HUMP = Pattern.compile("([A-Z])");
    private static final Pattern DASH = Pattern.compile("-+(.)");
    private static final int LONGEST = 200; // far longer than any name of an option

    private UnknownOptions() {}

    /**
     * Options under one prefix, or of each name under one prefix.
     *
     * @param at how the prefix of an option is written
     * @param depth of how many elements that prefix is
     */
    private record Group(String prefix, String at, int depth, Class<?> options, Bindable<?> bindable) {

        static Stream<Group> of(RecordComponent component) {
            String prefix = PREFIX + "." + dashed(component.getName());
            if (component.getType().isRecord()) {
                Class<?> options = component.getType();
                return Stream.of(new Group(prefix, prefix, 2, options, Bindable.of(options)));
            }
            if (component.getGenericType() instanceof ParameterizedType map
                    && map.getActualTypeArguments().length == 2
                    && map.getActualTypeArguments()[1] instanceof Class<?> options) {
                return Stream.of(
                        new Group(prefix, prefix + ".<name>", 3, options, Bindable.mapOf(String.class, options)));
            }
            return Stream.empty();
        }
    }

    static void refuse(Environment environment) {
        Arrays.stream(TurnoProperties.class.getRecordComponents())
                .flatMap(Group::of)
                .forEach(group -> refuse(environment, group));
    }

    private static void refuse(Environment environment, Group group) {
        try {
            // Variables of the machine may have such names by chance; only those written for the application are
            // refused.
            BindHandler strict =
                    new NoUnboundElementsBindHandler(BindHandler.DEFAULT, new UnboundElementsSourceFilter());
            Binder.get(environment).bind(group.prefix(), group.bindable(), strict);
        } catch (BindException e) {
            if (e.getCause() instanceof UnboundConfigurationPropertiesException unbound) {
                // Without its cause, which says less: some show the innermost sentence alone.
                throw new StartException(
                        "There is no such option: " + named(unbound) + "." + meant(unbound, group),
                        "Use one of those under '" + group.at() + "': " + names(group.options()) + ".");
            }
            throw e;
        }
    }

    private static String named(UnboundConfigurationPropertiesException unbound) {
        return unbound.getUnboundProperties().stream()
                .map(ConfigurationProperty::getName)
                .map(name -> "'" + name + "'")
                .collect(Collectors.joining(", "));
    }

    private static String meant(UnboundConfigurationPropertiesException unbound, Group group) {
        return unbound.getUnboundProperties().stream()
                .map(ConfigurationProperty::getName)
                .flatMap(name -> nearest(name, group.depth(), group.options()).stream())
                .distinct()
                .map(name -> " Did you mean '" + name + "'?")
                .collect(Collectors.joining());
    }

    /** The name with its first wrong element, which is at {@code place} or later, put right. */
    private static Optional<String> nearest(ConfigurationPropertyName name, int place, Class<?> options) {
        if (place >= name.getNumberOfElements()) {
            return Optional.empty();
        }
        String written = name.getElement(place, Form.UNIFORM);
        Optional<Class<?>> inner = Arrays.stream(options.getRecordComponents())
                .filter(option -> option.getName().equalsIgnoreCase(written))
                .<Class<?>>map(RecordComponent::getType)
                .filter(Class::isRecord)
                .findFirst();
        return inner.isPresent()
                ? nearest(name, place + 1, inner.get())
                : nearest(name.getElement(place, Form.DASHED), options)
                        .map(option -> name.chop(place).append(dashed(option)).toString());
    }

    private static Optional<String> nearest(String written, Class<?> options) {
        String humped = DASH.matcher(written).replaceAll(found -> found.group(1).toUpperCase(Locale.ROOT));
        return IntStream.rangeClosed(0, LONGEST)
                .mapToObj(distance -> PropertyMatches.forField(humped, options, distance))
                .flatMap(matches -> Arrays.stream(matches.getPossibleMatches()))
                .findFirst();
    }

    private static String names(Class<?> options) {
        return Arrays.stream(options.getRecordComponents())
                .map(RecordComponent::getName)
                .map(UnknownOptions::dashed)
                .collect(Collectors.joining(", "));
    }

    private static String dashed(String name) {
        return HUMP.matcher(name).replaceAll("-$1").toLowerCase(Locale.ROOT);
    }
}
