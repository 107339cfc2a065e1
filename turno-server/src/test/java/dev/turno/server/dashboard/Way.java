package dev.turno.server.dashboard;

import com.microsoft.playwright.options.ColorScheme;
import java.util.List;

/** How somebody looks at the page. */
public enum Way {
    ENGLISH("en-GB", ColorScheme.LIGHT),
    SPANISH("es-MX", ColorScheme.DARK);

    final String locale;
    final ColorScheme scheme;

    Way(String locale, ColorScheme scheme) {
        this.locale = locale;
        this.scheme = scheme;
    }

    /** Also in the names of what it may change. */
    String language() {
        return locale.substring(0, 2);
    }

    /** Views are looked at in both ways always; acts in both at full scale. */
    static List<Way> forActs() {
        return "full".equals(System.getProperty("turno.scale")) ? List.of(values()) : List.of(ENGLISH);
    }
}
