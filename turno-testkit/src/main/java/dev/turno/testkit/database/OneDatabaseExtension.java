package dev.turno.testkit.database;

import org.junit.jupiter.api.extension.ConditionEvaluationResult;
import org.junit.jupiter.api.extension.ExecutionCondition;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;
import org.junit.platform.commons.support.AnnotationSupport;

/** Behind {@link OnDatabase}. */
final class OneDatabaseExtension implements ExecutionCondition, ParameterResolver {

    @Override
    public ConditionEvaluationResult evaluateExecutionCondition(ExtensionContext context) {
        TestDatabase kind = choice(context).value();
        return TestDatabase.chosen().contains(kind)
                ? PgBouncer.thereIfChosen()
                : ConditionEvaluationResult.disabled("-D" + TestDatabase.CHOICE + " leaves out " + kind);
    }

    @Override
    public ExtensionContextScope getTestInstantiationExtensionContextScope(ExtensionContext root) {
        return ExtensionContextScope.TEST_METHOD;
    }

    @Override
    public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
        return resolver(context).supportsParameter(parameter, context);
    }

    @Override
    public Object resolveParameter(ParameterContext parameter, ExtensionContext context) {
        return resolver(context).resolveParameter(parameter, context);
    }

    private static FreshDatabaseResolver resolver(ExtensionContext context) {
        OnDatabase choice = choice(context);
        return new FreshDatabaseResolver(choice.value(), choice.onServer());
    }

    /** The method's own, or else that of its class or of the class around it. */
    private static OnDatabase choice(ExtensionContext context) {
        return AnnotationSupport.findAnnotation(context.getElement(), OnDatabase.class)
                .or(() -> context.getParent().map(OneDatabaseExtension::choice))
                .orElseThrow(() -> new IllegalStateException("No @OnDatabase at " + context.getDisplayName()));
    }
}
