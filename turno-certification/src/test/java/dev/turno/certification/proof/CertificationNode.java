package dev.turno.certification.proof;

import dev.turno.testkit.process.ParentWatch;
import dev.turno.web.security.Caller;
import dev.turno.web.security.Credentials;
import dev.turno.web.security.Role;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** The service as an application of its own, in this process or, by its main method, in another. Arguments are properties. */
@Configuration
@EnableAutoConfiguration
public class CertificationNode {

    static final String READY = "ready ";
    private static final Pattern TOKEN = Pattern.compile("afore-([0-9]{3})");

    /** Tokens that say themselves what they are good for. */
    @Bean
    Credentials testCredentials() {
        return presented -> {
            Matcher afore = TOKEN.matcher(presented);
            if (afore.matches()) {
                return Optional.of(new Caller(presented, Role.CALLER, Set.of(afore.group(1))));
            }
            return presented.equals("operator")
                    ? Optional.of(new Caller(presented, Role.OPERATOR, Set.of()))
                    : Optional.empty();
        };
    }

    static ConfigurableApplicationContext start(List<String> properties) {
        List<String> all = new ArrayList<>(List.of(
                "--server.port=0",
                "--spring.main.banner-mode=off",
                "--spring.jmx.enabled=false",
                "--turno.web.rate=1000000",
                "--turno.admin.token=an-admin-token-for-tests-only-0123456789",
                "--turno.holder.lease=10s"));
        all.addAll(properties);
        return SpringApplication.run(CertificationNode.class, all.toArray(String[]::new));
    }

    static int port(ConfigurableApplicationContext context) {
        return Integer.parseInt(context.getEnvironment().getRequiredProperty("local.server.port"));
    }

    /** Says on which port it answers. */
    public static void main(String[] arguments) {
        ParentWatch.exitWithParent();
        System.out.println(READY + port(start(List.of(arguments))));
    }
}
