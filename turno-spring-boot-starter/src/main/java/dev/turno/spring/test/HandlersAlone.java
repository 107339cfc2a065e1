package dev.turno.spring.test;

import dev.turno.spring.BurstHandler;
import dev.turno.spring.InboxHandler;
import dev.turno.spring.TaskHandler;
import dev.turno.spring.TurnoCron;
import dev.turno.spring.TurnoWork;
import java.io.IOException;
import java.lang.annotation.Annotation;
import java.util.List;
import org.springframework.boot.test.context.filter.annotation.StandardAnnotationCustomizableTypeExcludeFilter;
import org.springframework.core.type.AnnotationMetadata;
import org.springframework.core.type.classreading.MetadataReader;
import org.springframework.core.type.classreading.MetadataReaderFactory;

/** Leaves out the components that have nothing to do with Turno. */
final class HandlersAlone extends StandardAnnotationCustomizableTypeExcludeFilter<TurnoTest> {

    private static final List<Class<? extends Annotation>> HANDLERS =
            List.of(InboxHandler.class, BurstHandler.class, TaskHandler.class, TurnoCron.class);

    HandlersAlone(Class<?> test) {
        super(test);
    }

    @Override
    protected boolean defaultInclude(MetadataReader reader, MetadataReaderFactory readers) throws IOException {
        AnnotationMetadata type = reader.getAnnotationMetadata();
        return HANDLERS.stream().anyMatch(handler -> type.hasAnnotatedMethods(handler.getName()))
                || isTypeOrAnnotated(reader, readers, TurnoWork.class);
    }
}
