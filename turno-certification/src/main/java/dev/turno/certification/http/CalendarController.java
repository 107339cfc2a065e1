package dev.turno.certification.http;

import com.fasterxml.jackson.annotation.JsonProperty;
import dev.turno.certification.calendar.CalendarSource;
import dev.turno.certification.calendar.Calendars;
import dev.turno.certification.calendar.Day;
import dev.turno.web.security.Role;
import dev.turno.web.security.Route;
import java.time.LocalDate;
import java.util.Comparator;
import java.util.List;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpStatus;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PutMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.server.ResponseStatusException;

/** Business days, to be asked for by anybody and changed by operators. */
@RestController
public class CalendarController {

    private static final int MOST_DAYS = 366;

    private final Calendars calendars;

    public CalendarController(Calendars calendars) {
        this.calendars = calendars;
    }

    /** A day as callers see it. */
    record DayView(String fuente, LocalDate fecha, boolean habil, String motivo) {

        static DayView of(Day day) {
            return new DayView(day.source().name(), day.date(), day.open(), day.reason());
        }
    }

    /** Days of a year, in order. */
    record DaysView(List<DayView> items) {

        static DaysView of(List<Day> days) {
            return new DaysView(days.stream()
                    .sorted(Comparator.comparing(Day::date))
                    .map(DayView::of)
                    .toList());
        }
    }

    private static final String DAY =
            "{\"fuente\":\"CONSAR\",\"fecha\":\"2026-11-16\",\"habil\":false,\"motivo\":\"conmemoración del 20 de noviembre\"}";
    private static final String WISH = "{\"habil\":false,\"motivo\":\"elecciones\",\"referencia\":\"DOF\"}";
    private static final String YEAR =
            "[{\"fecha\":\"2027-06-06\",\"habil\":false,\"motivo\":\"elecciones\",\"referencia\":\"DOF\"}]";

    private static final String DAYS = "{\"items\":[" + DAY + "]}";

    /** What an operator says about a day; in a year's list each has its date. */
    record DayWish(
            @Nullable LocalDate fecha,
            @JsonProperty(required = true) @Nullable Boolean habil,
            @Nullable String motivo,
            @Nullable String referencia) {}

    @Route(role = Role.VIEWER, open = true, says = "Si un día es hábil.", gives = DAY)
    @GetMapping({"/v1/calendario/{fuente}/{fecha}", "/api/v1/calendario/{fuente}/{fecha}"})
    DayView day(@PathVariable CalendarSource fuente, @PathVariable LocalDate fecha) {
        return DayView.of(checked(() -> calendars.day(fuente, fecha)));
    }

    @Route(role = Role.VIEWER, open = true, says = "El siguiente día hábil.", gives = DAY)
    @GetMapping({"/v1/calendario/{fuente}/{fecha}/siguiente", "/api/v1/calendario/{fuente}/{fecha}/siguiente"})
    DayView next(@PathVariable CalendarSource fuente, @PathVariable LocalDate fecha) {
        return DayView.of(checked(() -> calendars.next(fuente, fecha)));
    }

    @Route(role = Role.OPERATOR, says = "Declara un día hábil o inhábil.", takes = WISH, gives = DAY)
    @PutMapping({"/v1/calendario/{fuente}/{fecha}", "/api/v1/calendario/{fuente}/{fecha}"})
    DayView put(@PathVariable CalendarSource fuente, @PathVariable LocalDate fecha, @RequestBody DayWish wish) {
        return checked(() -> {
            Day day = day(fuente, fecha, wish);
            calendars.put(day);
            return DayView.of(day);
        });
    }

    /** Replaces all that was loaded for a year. */
    @Route(role = Role.OPERATOR, says = "Reemplaza los días declarados de un año.", takes = YEAR, gives = DAYS)
    @PutMapping({"/v1/calendario/{fuente}/anio/{anio}", "/api/v1/calendario/{fuente}/anio/{anio}"})
    DaysView load(@PathVariable CalendarSource fuente, @PathVariable int anio, @RequestBody List<DayWish> wishes) {
        return checked(() -> {
            if (wishes.size() > MOST_DAYS) {
                throw new IllegalArgumentException("Un año tiene a lo más " + MOST_DAYS + " días. No se cambió nada.");
            }
            List<Day> days = IntStream.range(0, wishes.size())
                    .mapToObj(i -> day(fuente, i + 1, wishes.get(i)))
                    .toList();
            calendars.load(fuente, anio, days);
            return DaysView.of(days);
        });
    }

    /** What was loaded for a year. */
    @Route(role = Role.VIEWER, open = true, says = "Los días declarados de un año.", gives = DAYS)
    @GetMapping({"/v1/calendario/{fuente}/anio/{anio}", "/api/v1/calendario/{fuente}/anio/{anio}"})
    DaysView loaded(@PathVariable CalendarSource fuente, @PathVariable int anio) {
        return checked(() -> DaysView.of(calendars.loaded(fuente, anio)));
    }

    private static Day day(CalendarSource source, int place, @Nullable DayWish wish) {
        LocalDate date = wish == null ? null : wish.fecha();
        if (wish == null || date == null) {
            throw new IllegalArgumentException("El día número " + place + " no tiene fecha. No se cambió nada.");
        }
        return day(source, date, wish);
    }

    private static Day day(CalendarSource source, LocalDate date, DayWish wish) {
        Boolean open = wish.habil();
        if (open == null) {
            throw new IllegalArgumentException(
                    "El día " + date + " no dice si es hábil: true o false. No se cambió nada.");
        }
        return new Day(source, date, open, text(wish.motivo()), text(wish.referencia()));
    }

    private static String text(@Nullable String given) {
        return given == null ? "" : given;
    }

    private static <T> T checked(Supplier<T> ask) {
        try {
            return ask.get();
        } catch (IllegalArgumentException e) {
            throw new ResponseStatusException(HttpStatus.UNPROCESSABLE_CONTENT, e.getMessage(), e);
        }
    }
}
