package dev.turno.testkit.database;

import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.extension.ClassTemplateInvocationContext;
import org.junit.jupiter.api.extension.ClassTemplateInvocationContextProvider;
import org.junit.jupiter.api.extension.ConditionEvaluationResult;
import org.junit.jupiter.api.extension.ExecutionCondition;
import org.junit.jupiter.api.extension.Extension;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.platform.commons.support.AnnotationSupport;

/** Behind {@link OnEveryDatabase}: one run of the class for each chosen database. */
final class EveryDatabaseExtension implements ClassTemplateInvocationContextProvider, ExecutionCondition {

    @Override
    public ConditionEvaluationResult evaluateExecutionCondition(ExtensionContext context) {
        return PgBouncer.thereIfChosen();
    }

    @Override
    public boolean supportsClassTemplate(ExtensionContext context) {
        return true;
    }

    @Override
    public Stream<ClassTemplateInvocationContext> provideClassTemplateInvocationContexts(ExtensionContext context) {
        boolean onServer = AnnotationSupport.findAnnotation(context.getRequiredTestClass(), OnEveryDatabase.class)
                .map(OnEveryDatabase::onServer)
                .orElse(false);
        return TestDatabase.chosen().stream().map(kind -> new OnOne(kind, onServer));
    }

    private record OnOne(TestDatabase kind, boolean onServer) implements ClassTemplateInvocationContext {

        @Override
        public String getDisplayName(int invocationIndex) {
            return kind.name();
        }

        @Override
        public List<Extension> getAdditionalExtensions() {
            return List.of(new FreshDatabaseResolver(kind, onServer));
        }
    }
}
