package dev.turno.certification.dashboard;

import dev.turno.certification.calendar.CalendarSource;
import dev.turno.certification.calendar.Calendars;
import dev.turno.certification.sql.Sql;
import dev.turno.web.dashboard.Attention;
import dev.turno.web.dashboard.DashboardPart;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** The views of this module, and what it adds to what needs attention. */
@Configuration(proxyBeanMethods = false)
public class CertificationDashboard {

    @Bean
    DashboardPart certificationDashboardPart() {
        return new DashboardPart("certification", "classpath:/dev/turno/certification/dashboard/");
    }

    @Bean
    OpenRequests certificationOpenRequests(Sql sql) {
        return new OpenRequests(sql);
    }

    @Bean
    OpenRequestController certificationOpenRequestController(OpenRequests requests) {
        return new OpenRequestController(requests);
    }

    @Bean
    Attention.Source certificationAttention(OpenRequests requests, Calendars calendars, CalendarSource calendar) {
        return () -> {
            List<Attention.Item> items = new ArrayList<>();
            long ambiguous = requests.open().stream()
                    .filter(request -> request.state().equals("AMBIGUOUS"))
                    .count();
            if (ambiguous > 0) {
                items.add(new Attention.Item("ambiguous", "certification", "", ambiguous, Optional.empty()));
            }
            calendars
                    .yearWithoutDays(calendar)
                    .ifPresent(year -> items.add(new Attention.Item(
                            "calendar", "certification", calendar + " " + year, 1, Optional.empty())));
            return items;
        };
    }
}
