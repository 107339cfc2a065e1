package dev.turno.testkit.database;

import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ExtensionContext.Namespace;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;

/** Hands a test its database: one for each test, made when first asked for and closed by JUnit when the test is over. */
record FreshDatabaseResolver(TestDatabase kind, boolean onServer) implements ParameterResolver {

    private static final Namespace NAMESPACE = Namespace.create(FreshDatabaseResolver.class);

    /** So that a constructor gets the database of the test it is called for, not one of the whole class. */
    @Override
    public ExtensionContextScope getTestInstantiationExtensionContextScope(ExtensionContext root) {
        return ExtensionContextScope.TEST_METHOD;
    }

    @Override
    public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
        Class<?> type = parameter.getParameter().getType();
        return type == FreshDatabase.class || type == TestDatabase.class;
    }

    @Override
    public Object resolveParameter(ParameterContext parameter, ExtensionContext context) {
        return parameter.getParameter().getType() == TestDatabase.class ? kind : database(context);
    }

    private FreshDatabase database(ExtensionContext context) {
        return context.getStore(NAMESPACE).computeIfAbsent(kind, this::fresh, FreshDatabase.class);
    }

    private FreshDatabase fresh(TestDatabase ofKind) {
        return onServer ? ofKind.freshOnServer() : ofKind.fresh();
    }
}
