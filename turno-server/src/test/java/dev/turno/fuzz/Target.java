package dev.turno.fuzz;

import dev.turno.certification.wire.RequestFuzz;
import dev.turno.harvester.oai.PageFuzz;
import dev.turno.harvester.provider.ProviderFuzz;
import dev.turno.harvester.rules.ExpressionFuzz;
import dev.turno.harvester.rules.RuleSetFuzz;
import dev.turno.inbox.ListFuzz;
import dev.turno.server.webhook.OptionsFuzz;
import dev.turno.server.webhook.SignatureFuzz;
import dev.turno.server.whatsapp.WhatsAppFuzz;
import dev.turno.task.CronFuzz;
import dev.turno.web.api.InputsFuzz;
import dev.turno.web.dashboard.RedactionFuzz;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Collectors;

/** All that is fuzzed. */
enum Target {
    CERTIFICATION(RequestFuzz.class, RequestFuzz::fuzzerTestOneInput),
    CRON(CronFuzz.class, CronFuzz::fuzzerTestOneInput),
    EXPRESSION(ExpressionFuzz.class, ExpressionFuzz::fuzzerTestOneInput),
    INPUTS(InputsFuzz.class, InputsFuzz::fuzzerTestOneInput),
    LISTS(ListFuzz.class, ListFuzz::fuzzerTestOneInput),
    OAI(PageFuzz.class, PageFuzz::fuzzerTestOneInput),
    OPTIONS(OptionsFuzz.class, OptionsFuzz::fuzzerTestOneInput),
    PROVIDER(ProviderFuzz.class, ProviderFuzz::fuzzerTestOneInput),
    REDACTION(RedactionFuzz.class, RedactionFuzz::fuzzerTestOneInput),
    RULES(RuleSetFuzz.class, RuleSetFuzz::fuzzerTestOneInput),
    SIGNATURE(SignatureFuzz.class, SignatureFuzz::fuzzerTestOneInput),
    WHATSAPP(WhatsAppFuzz.class, WhatsAppFuzz::fuzzerTestOneInput);

    /** A few threads of Turno's own run beside these two, and what they do would be taken for the input's doing. */
    private static final Set<Target> WITH_THREADS = EnumSet.of(LISTS, WHATSAPP);

    interface Body {
        void accept(byte[] input) throws Exception;
    }

    private static final Path CORPUS = Path.of("src", "test", "fuzz");

    private final Class<?> type;

    @SuppressWarnings("ImmutableEnumChecker") // methods of classes: they have no state
    private final Body body;

    Target(Class<?> type, Body body) {
        this.type = type;
        this.body = body;
    }

    static Target named(String name) {
        return Arrays.stream(values())
                .filter(target -> target.label().equals(name))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("There is no target '" + name + "'. There are: "
                        + Arrays.stream(values()).map(Target::label).collect(Collectors.joining(", ")) + "."));
    }

    /** Those that do the same at every run. */
    static List<Target> steady() {
        return Arrays.stream(values())
                .filter(target -> !WITH_THREADS.contains(target))
                .toList();
    }

    String label() {
        return name().toLowerCase(Locale.ROOT);
    }

    Class<?> type() {
        return type;
    }

    /** Where its inputs are, from the folder of this module. */
    Path corpus() {
        return CORPUS.resolve(label());
    }

    /** Anything that is thrown is a finding. */
    void accept(byte[] input) throws Exception {
        body.accept(input);
    }
}
