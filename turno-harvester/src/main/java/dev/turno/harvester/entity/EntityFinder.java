package dev.turno.harvester.entity;

import dev.turno.harvester.rules.Fields;
import java.text.Normalizer;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Finds entities in the fields of a record. Identifiers with a check digit must have the right one. Shared by threads. */
public final class EntityFinder {

    private static final int LONGEST = 300;
    private static final Pattern DOI = Pattern.compile("\\b(10\\.[0-9]{4,9}/[^\\s\"<>]{1,200})");
    private static final Pattern ORCID = Pattern.compile("\\b([0-9]{4}-[0-9]{4}-[0-9]{4}-[0-9]{3}[0-9Xx])\\b");
    private static final Pattern ISSN =
            Pattern.compile("\\bISSN:?\\s*([0-9]{4}-[0-9]{3}[0-9Xx])\\b", Pattern.CASE_INSENSITIVE);
    private static final Pattern HANDLE = Pattern.compile(
            "(?:hdl\\.handle\\.net/|\\bhdl:)([0-9]+(?:\\.[0-9]+)*/[^\\s\"<>]{1,200})", Pattern.CASE_INSENSITIVE);
    private static final Pattern ORGANISATION = Pattern.compile(
            "\\b(universi|institut|facult|departa|department|centro|center|centre|ministeri|editorial|press|academ|consejo|council|"
                    + "fundaci|foundation|escuela|school|hospital|laborator|sociedad|society|biblioteca|library)",
            Pattern.CASE_INSENSITIVE);
    private static final List<String> PEOPLE = List.of("dc.creator", "dc.contributor");

    /** Each entity once per field, in the order in which they stand. */
    public Set<Mention> find(Fields fields) {
        Set<Mention> found = new LinkedHashSet<>();
        PEOPLE.forEach(field -> fields.of(field).forEach(value -> name(found, field, value)));
        fields.of("dc.publisher")
                .forEach(value -> add(found, EntityKind.ORGANISATION, key(value), value, "dc.publisher"));
        for (String field : fields.names()) {
            fields.of(field).forEach(value -> identifiers(found, field, value));
        }
        return found;
    }

    private static void name(Set<Mention> found, String field, String value) {
        String plain = ORCID.matcher(value)
                .replaceAll("")
                .replaceAll("https?://orcid\\.org/?|[()\\[\\];]", " ")
                .strip();
        EntityKind kind = ORGANISATION.matcher(plain).find() ? EntityKind.ORGANISATION : EntityKind.PERSON;
        add(found, kind, key(plain), plain, field);
    }

    private static void identifiers(Set<Mention> found, String field, String value) {
        each(
                DOI,
                value,
                text -> add(found, EntityKind.DOI, trimmed(text).toLowerCase(Locale.ROOT), trimmed(text), field));
        each(ORCID, value, text -> {
            if (isOrcid(text)) {
                String upper = text.toUpperCase(Locale.ROOT);
                add(found, EntityKind.ORCID, upper, upper, field);
            }
        });
        each(ISSN, value, text -> {
            if (isIssn(text)) {
                String upper = text.toUpperCase(Locale.ROOT);
                add(found, EntityKind.ISSN, upper, upper, field);
            }
        });
        each(
                HANDLE,
                value,
                text -> add(found, EntityKind.HANDLE, trimmed(text).toLowerCase(Locale.ROOT), trimmed(text), field));
    }

    private static void each(Pattern pattern, String value, java.util.function.Consumer<String> use) {
        Matcher matcher = pattern.matcher(value);
        while (matcher.find()) {
            use.accept(matcher.group(1));
        }
    }

    /** A full stop or a bracket behind an identifier belongs to the sentence. */
    private static String trimmed(String identifier) {
        return identifier.replaceAll("[.,;:)\\]}]+$", "");
    }

    private static void add(Set<Mention> found, EntityKind kind, String key, String name, String field) {
        if (!key.isEmpty() && key.length() <= LONGEST && name.length() <= LONGEST) {
            found.add(new Mention(kind, key, name, field));
        }
    }

    /** Without case, accents and punctuation. */
    static String key(String name) {
        String folded = Normalizer.normalize(name, Normalizer.Form.NFD).replaceAll("\\p{M}+", "");
        return folded.toLowerCase(Locale.ROOT)
                .replaceAll("[^\\p{L}\\p{N}]+", " ")
                .strip();
    }

    /** ISO 7064, 11-2. */
    static boolean isOrcid(String text) {
        String digits = text.replace("-", "").toUpperCase(Locale.ROOT);
        int total = 0;
        for (int i = 0; i < 15; i++) {
            total = (total + digits.charAt(i) - '0') * 2;
        }
        int check = (12 - total % 11) % 11;
        return digits.charAt(15) == (check == 10 ? 'X' : (char) ('0' + check));
    }

    static boolean isIssn(String text) {
        String digits = text.replace("-", "").toUpperCase(Locale.ROOT);
        int total = 0;
        for (int i = 0; i < 7; i++) {
            total += (digits.charAt(i) - '0') * (8 - i);
        }
        int check = (11 - total % 11) % 11;
        return digits.charAt(7) == (check == 10 ? 'X' : (char) ('0' + check));
    }
}
