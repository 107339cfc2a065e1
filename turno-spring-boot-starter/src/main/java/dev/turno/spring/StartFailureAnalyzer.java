package dev.turno.spring;

import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;

/** Prints what is wrong and what to do, instead of a stack trace. */
final class StartFailureAnalyzer extends AbstractFailureAnalyzer<StartException> {

    @Override
    protected FailureAnalysis analyze(Throwable root, StartException cause) {
        return new FailureAnalysis(cause.getMessage(), cause.action(), cause);
    }
}
