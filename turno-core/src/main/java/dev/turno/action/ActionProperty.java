package dev.turno.action;

/** Something that can be switched on for a subject, such as {@code INDEX_FRONTEND}. */
public record ActionProperty(String name, String description) {

    public ActionProperty {
        if (name.isBlank() || name.length() > 100) {
            throw new IllegalArgumentException(
                    "The name of a property is '" + name + "'; use 1 to 100 characters, not all blank.");
        }
    }
}
