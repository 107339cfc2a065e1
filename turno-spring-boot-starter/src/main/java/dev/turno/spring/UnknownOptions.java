package dev.turno.spring;

import java.lang.reflect.RecordComponent;
import java.util.Arrays;
import java.util.Locale;
import java.util.stream.Collectors;
import org.springframework.boot.context.properties.bind.BindException;
import org.springframework.boot.context.properties.bind.BindHandler;
import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.context.properties.bind.UnboundConfigurationPropertiesException;
import org.springframework.boot.context.properties.bind.handler.NoUnboundElementsBindHandler;
import org.springframework.boot.context.properties.source.ConfigurationProperty;
import org.springframework.boot.context.properties.source.UnboundElementsSourceFilter;
import org.springframework.core.env.Environment;

/** A misspelt option would otherwise be passed over in silence. */
final class UnknownOptions {

    private UnknownOptions() {}

    static void refuse(Environment environment) {
        refuse(environment, "turno.inboxes", TurnoProperties.Inbox.class);
        refuse(environment, "turno.buffers", TurnoProperties.Buffer.class);
        refuse(environment, "turno.tasks", TurnoProperties.Task.class);
        refuse(environment, "turno.actions", TurnoProperties.NamedAction.class);
    }

    private static void refuse(Environment environment, String prefix, Class<? extends Record> options) {
        try {
            // Variables of the machine may have such names by chance; only those written for the application are
            // refused.
            BindHandler strict =
                    new NoUnboundElementsBindHandler(BindHandler.DEFAULT, new UnboundElementsSourceFilter());
            Binder.get(environment).bind(prefix, Bindable.mapOf(String.class, options), strict);
        } catch (BindException e) {
            if (e.getCause() instanceof UnboundConfigurationPropertiesException unbound) {
                throw new StartException(
                        "There is no such option: " + named(unbound) + ".",
                        "Use one of those under '" + prefix + ".<name>': " + names(options) + ".",
                        e);
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

    private static String names(Class<? extends Record> options) {
        return Arrays.stream(options.getRecordComponents())
                .map(RecordComponent::getName)
                .map(name -> name.replaceAll("([A-Z])", "-$1").toLowerCase(Locale.ROOT))
                .collect(Collectors.joining(", "));
    }
}
