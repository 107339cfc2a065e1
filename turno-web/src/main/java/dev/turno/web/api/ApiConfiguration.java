package dev.turno.web.api;

import dev.turno.Turno;
import dev.turno.spring.Connections;
import dev.turno.web.security.AuditNote;
import dev.turno.web.security.Caller;
import dev.turno.web.tables.WebTables;
import jakarta.servlet.http.HttpServletRequest;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.core.MethodParameter;
import org.springframework.web.bind.support.WebDataBinderFactory;
import org.springframework.web.context.request.NativeWebRequest;
import org.springframework.web.method.support.HandlerMethodArgumentResolver;
import org.springframework.web.method.support.ModelAndViewContainer;
import org.springframework.web.servlet.config.annotation.WebMvcConfigurer;

/** The API's controllers and what they share. */
@Configuration(proxyBeanMethods = false)
@Import({
    InboxController.class,
    BufferController.class,
    LockController.class,
    TaskController.class,
    RunController.class,
    OverviewController.class,
    EventController.class,
    TokenController.class,
    SessionController.class,
    WhyController.class,
    DoctorController.class,
    OpenApiController.class,
    Problems.class
})
public class ApiConfiguration {

    @Bean
    Names turnoNames(Turno turno) {
        return new Names(turno);
    }

    @Bean
    NoRoute turnoNoRoute() {
        return new NoRoute();
    }

    @Bean
    WaitingPlaces turnoWaitingPlaces() {
        return new WaitingPlaces();
    }

    @Bean
    EventStreams turnoEventStreams() {
        return new EventStreams();
    }

    @Bean
    Overview turnoOverview(Turno turno, ObjectProvider<Overview.Part> parts) {
        return new Overview(turno, parts.orderedStream().toList());
    }

    @Bean
    Doctor turnoDoctor(Connections connections, WebTables tables) {
        return new Doctor(connections.application(), tables);
    }

    @Bean
    Why turnoWhyInbox(Turno turno, Names names) {
        return new Whys.OfInbox(turno, names);
    }

    @Bean
    Why turnoWhyBuffer(Names names) {
        return new Whys.OfBuffer(names);
    }

    @Bean
    Why turnoWhyLock(Turno turno) {
        return new Whys.OfLock(turno);
    }

    @Bean
    Why turnoWhyTask(Turno turno) {
        return new Whys.OfTask(turno);
    }

    @Bean
    Why turnoWhyRun(Turno turno) {
        return new Whys.OfRun(turno);
    }

    @Bean
    WebMvcConfigurer turnoCallerAsParameter() {
        return new WebMvcConfigurer() {
            @Override
            public void addArgumentResolvers(List<HandlerMethodArgumentResolver> resolvers) {
                resolvers.add(new CallerResolver());
            }
        };
    }

    private static final class CallerResolver implements HandlerMethodArgumentResolver {

        @Override
        public boolean supportsParameter(MethodParameter parameter) {
            return parameter.getParameterType() == Caller.class || parameter.getParameterType() == AuditNote.class;
        }

        @Override
        public Object resolveArgument(
                MethodParameter parameter,
                @Nullable ModelAndViewContainer container,
                NativeWebRequest request,
                @Nullable WebDataBinderFactory binders) {
            HttpServletRequest servletRequest = request.getNativeRequest(HttpServletRequest.class);
            if (servletRequest == null) {
                throw new IllegalStateException("There is no servlet request.");
            }
            return parameter.getParameterType() == Caller.class
                    ? Caller.of(servletRequest)
                    : AuditNote.of(servletRequest);
        }
    }
}
