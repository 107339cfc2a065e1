package dev.turno.harvester.provider;

import dev.turno.harvester.index.IndexQuery;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import java.util.zip.CRC32;

/**
 * A list, and how far it has come. As text it is a resumption token, with a sum that tells one that was cut or mistyped.
 *
 * @param verb the verb that made it; the other list's tokens are refused
 * @param until where the list ends; fixed by its first page, so that it ends although the index grows
 * @param given how many items were given before
 * @param total how many there were at the first page
 */
record ListToken(
        String verb,
        Optional<String> from,
        String until,
        Optional<String> set,
        Optional<IndexQuery.Place> place,
        long given,
        long total) {

    private static final String SEPARATOR = "\n";
    private static final int PARTS = 8;

    ListToken movedTo(IndexQuery.Place next, int more) {
        return new ListToken(verb, from, until, set, Optional.of(next), given + more, total);
    }

    String text() {
        String plain = String.join(
                SEPARATOR,
                verb,
                from.orElse(""),
                until,
                set.orElse(""),
                place.map(IndexQuery.Place::value).orElse(""),
                place.map(IndexQuery.Place::id).orElse(""),
                Long.toString(given),
                Long.toString(total));
        return Base64.getUrlEncoder().withoutPadding().encodeToString(plain.getBytes(StandardCharsets.UTF_8)) + "."
                + sum(plain);
    }

    private static String sum(String text) {
        CRC32 crc = new CRC32();
        crc.update(text.getBytes(StandardCharsets.UTF_8));
        return Long.toHexString(crc.getValue());
    }

    static ListToken read(String text, String verb) {
        try {
            int dot = text.lastIndexOf('.');
            String plain = new String(Base64.getUrlDecoder().decode(text.substring(0, dot)), StandardCharsets.UTF_8);
            List<String> parts = new ArrayList<>(List.of(plain.split(SEPARATOR, -1)));
            if (parts.size() == PARTS && parts.get(0).equals(verb) && sum(plain).equals(text.substring(dot + 1))) {
                return new ListToken(
                        verb,
                        filled(parts.get(1)),
                        parts.get(2),
                        filled(parts.get(3)),
                        Optional.of(new IndexQuery.Place(parts.get(4), parts.get(5))),
                        Long.parseLong(parts.get(6)),
                        Long.parseLong(parts.get(7)));
            }
        } catch (IllegalArgumentException | IndexOutOfBoundsException e) {
            // Not made here: said below.
        }
        throw new OaiProblem(
                "badResumptionToken", "The resumption token was not given by this provider for this verb.");
    }

    private static Optional<String> filled(String part) {
        return part.isEmpty() ? Optional.empty() : Optional.of(part);
    }
}
