package dev.turno.web.dashboard;

import dev.turno.Turno;
import dev.turno.run.Job;
import dev.turno.web.api.Overview;
import dev.turno.web.security.OpenPaths;
import dev.turno.web.tables.WebTables;
import java.time.Duration;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.http.CacheControl;
import org.springframework.web.servlet.config.annotation.ResourceHandlerRegistry;
import org.springframework.web.servlet.config.annotation.WebMvcConfigurer;

/** The page, and the endpoints that only it needs. */
@Configuration(proxyBeanMethods = false)
@EnableConfigurationProperties(DashboardProperties.class)
@Import({Pages.class, GlanceController.class, StoryController.class, BulkController.class, Redaction.class})
public class DashboardConfiguration {

    private static final CacheControl FOR_GOOD =
            CacheControl.maxAge(Duration.ofDays(365)).cachePublic().immutable();

    @Bean
    Assets turnoDashboardAssets(ObjectProvider<DashboardPart> parts) {
        return new Assets(parts.orderedStream().toList());
    }

    @Bean
    OpenPaths turnoDashboardIsOpen() {
        return OpenPaths.of(Pages.PATH + "/assets/**");
    }

    @Bean
    WebMvcConfigurer turnoDashboardFiles(Assets assets) {
        return new WebMvcConfigurer() {
            @Override
            public void addResourceHandlers(ResourceHandlerRegistry registry) {
                assets.handlers()
                        .forEach((pattern, folder) -> registry.addResourceHandler(pattern)
                                .addResourceLocations(folder)
                                .setCacheControl(FOR_GOOD));
            }
        };
    }

    @Bean
    History turnoHistory(WebTables tables) {
        return new History(tables);
    }

    @Bean
    Glances turnoGlances(WebTables tables) {
        return new Glances(tables);
    }

    @Bean
    Failures turnoFailures(WebTables tables, Glances glances) {
        return new Failures(tables, glances);
    }

    @Bean
    Attention turnoAttention(Turno turno, Overview overview, ObjectProvider<Attention.Source> others) {
        return new Attention(turno, overview, others.orderedStream().toList());
    }

    @Bean
    Search turnoSearch(Turno turno, Glances glances) {
        return new Search(turno, glances);
    }

    @Bean
    Job<String> turnoBulkJob(Turno turno) {
        return BulkJob.of(turno);
    }
}
