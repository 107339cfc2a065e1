package dev.turno.web.dashboard;

/**
 * Views that a module adds: a folder of ES modules in its jar. The page loads its {@code index.js}, which says what it adds; a module
 * contributes a bean of this type.
 *
 * @param name of letters, unique; the folder's place under the page's own
 * @param location of the folder, for example {@code classpath:/dev/turno/certification/dashboard/}
 */
public record DashboardPart(String name, String location) {

    public DashboardPart {
        if (!name.matches("[a-z]{1,40}") || !location.endsWith("/")) {
            throw new IllegalArgumentException(
                    "The part '" + name + "' at '" + location + "' needs a name of 1 to 40 letters a-z, and a folder.");
        }
    }
}
