package dev.turno.web;

import dev.turno.lock.Locks;
import dev.turno.spring.Connections;
import dev.turno.spring.TurnoAutoConfiguration;
import dev.turno.spring.TurnoProperties;
import dev.turno.web.api.ApiConfiguration;
import dev.turno.web.dashboard.DashboardConfiguration;
import dev.turno.web.security.Audit;
import dev.turno.web.security.Credentials;
import dev.turno.web.security.FirstToken;
import dev.turno.web.security.OpenPaths;
import dev.turno.web.security.Routes;
import dev.turno.web.security.SecurityFilter;
import dev.turno.web.security.Sessions;
import dev.turno.web.security.Tokens;
import dev.turno.web.tables.WebTables;
import java.net.InetAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.tomcat.ConfigurableTomcatWebServerFactory;
import org.springframework.boot.web.server.ConfigurableWebServerFactory;
import org.springframework.boot.web.server.WebServerFactoryCustomizer;
import org.springframework.boot.web.server.autoconfigure.ServerProperties;
import org.springframework.boot.web.servlet.FilterRegistrationBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.core.Ordered;
import org.springframework.core.env.Environment;
import org.springframework.util.function.SingletonSupplier;
import org.springframework.web.servlet.HandlerMapping;
import org.springframework.web.servlet.mvc.method.annotation.RequestMappingHandlerMapping;

/** The HTTP API behind its one filter, in any Boot application that has a Turno. */
@AutoConfiguration(after = TurnoAutoConfiguration.class)
@ConditionalOnWebApplication(type = ConditionalOnWebApplication.Type.SERVLET)
@EnableConfigurationProperties({TurnoWebProperties.class, ServerProperties.class})
@Import({ApiConfiguration.class, DashboardConfiguration.class})
public class TurnoWebAutoConfiguration {

    private static final Logger LOG = LoggerFactory.getLogger(TurnoWebAutoConfiguration.class);
    private static final String EVERYTHING = "/**";
    private static final String API = "/api/v1/**";

    @Bean
    WebTables turnoWebTables(Connections connections, TurnoProperties properties) {
        return WebTables.open(
                connections.committing(),
                properties.namespace(),
                properties.schema().mode());
    }

    @Bean
    Tokens turnoTokens(WebTables tables) {
        return new Tokens(tables);
    }

    @Bean
    Audit turnoAudit(WebTables tables) {
        return new Audit(tables);
    }

    @Bean
    Sessions turnoSessions(Tokens tokens) {
        return new Sessions(tokens);
    }

    /** Before the server accepts its first connection. */
    @Bean
    SmartInitializingSingleton turnoFirstToken(
            Tokens tokens, Locks locks, Environment environment, ServerProperties server) {
        return () -> {
            Optional<String> chosen = Optional.ofNullable(environment.getProperty("turno.admin.token"))
                    .filter(token -> !token.isBlank());
            InetAddress address = Optional.ofNullable(server.getAddress()).orElseGet(InetAddress::getLoopbackAddress);
            FirstToken.prepare(tokens, locks, chosen, address).ifPresent(TurnoWebAutoConfiguration::show);
        };
    }

    /** To the terminal and not to the log, where it would stay. */
    private static void show(String token) {
        System.out.println("\nThe admin token, shown only this once:\n\n    " + token + "\n");
    }

    @Bean
    FilterRegistrationBean<SecurityFilter> turnoSecurityFilter(
            TurnoWebProperties properties,
            ObjectProvider<OpenPaths> openPaths,
            Tokens tokens,
            ObjectProvider<Credentials> credentials,
            Audit audit,
            @Qualifier("requestMappingHandlerMapping") ObjectProvider<RequestMappingHandlerMapping> methods,
            ObjectProvider<HandlerMapping> tables) {
        List<String> open = new ArrayList<>(properties.open());
        openPaths.orderedStream().forEach(paths -> open.addAll(paths.patterns()));
        SecurityFilter.Rules rules = new SecurityFilter.Rules(
                guarded(properties),
                open,
                properties.readable(),
                properties.maxBody().toBytes(),
                properties.rate(),
                properties.contentPolicy());
        List<Credentials> others =
                credentials.orderedStream().filter(one -> one != tokens).toList();
        Routes routes = new Routes(
                SingletonSupplier.of(methods::getObject),
                SingletonSupplier.of(() -> tables.orderedStream().toList()));
        FilterRegistrationBean<SecurityFilter> registration =
                new FilterRegistrationBean<>(new SecurityFilter(rules, tokens, others, audit, routes));
        // After the one that reads X-Forwarded headers, before everything else.
        registration.setOrder(Ordered.HIGHEST_PRECEDENCE + 10);
        return registration;
    }

    private static List<String> guarded(TurnoWebProperties properties) {
        if (!properties.guard().contains(EVERYTHING)) {
            LOG.warn(
                    "Turno guards {}, {} and its own routes. Whatever else this application serves, its actuator included,"
                            + " is open unless the application guards it (turno.web.guard).",
                    properties.guard(),
                    API);
        }
        List<String> guarded = new ArrayList<>(properties.guard());
        guarded.add(API);
        return guarded;
    }

    /** Closed by default: who wants another address says so. */
    @Bean
    WebServerFactoryCustomizer<ConfigurableWebServerFactory> turnoListensOnLoopback(ServerProperties server) {
        return factory -> {
            if (server.getAddress() == null) {
                factory.setAddress(InetAddress.getLoopbackAddress());
            }
        };
    }

    /** For applications that kept Boot's usual server. */
    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass(ConfigurableTomcatWebServerFactory.class)
    static class OnTomcat {

        /** Ids of messages may have slashes in them; paths are taken apart before they are decoded, so that this is safe. */
        @Bean
        WebServerFactoryCustomizer<ConfigurableTomcatWebServerFactory> turnoAcceptsEncodedSlashes() {
            return factory ->
                    factory.addConnectorCustomizers(connector -> connector.setEncodedSolidusHandling("passthrough"));
        }
    }
}
