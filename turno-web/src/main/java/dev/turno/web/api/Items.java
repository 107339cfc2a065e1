package dev.turno.web.api;

import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** A part of a list; {@code next} is what to ask for the part after it with {@code ?after=}, null at the end. */
public record Items<T>(List<T> items, @Nullable String next) {

    /** From one item more than were asked for. */
    public static <T> Items<T> of(List<T> oneMore, int limit, Function<T, Object> place) {
        List<T> items = List.copyOf(oneMore.subList(0, Math.min(limit, oneMore.size())));
        return new Items<>(
                items,
                oneMore.size() > limit ? place.apply(items.get(limit - 1)).toString() : null);
    }

    /** From as many as were asked for at the most: if there are so many, there may be more. */
    public static <T> Items<T> upTo(List<T> items, int limit, Function<T, Object> place) {
        return of(items, items.size() < limit ? Optional.empty() : Optional.of(place.apply(items.get(limit - 1))));
    }

    public static <T> Items<T> of(List<T> items, Optional<?> next) {
        return new Items<>(items, next.map(Object::toString).orElse(null));
    }

    /** Of a whole list in the order of the items' names, those after {@code after}. */
    public static <T> Items<T> page(List<T> all, Function<T, String> name, Optional<String> after, int limit) {
        List<T> oneMore = all.stream()
                .filter(item -> after.isEmpty() || name.apply(item).compareTo(after.get()) > 0)
                .sorted(Comparator.comparing(name))
                .limit(Inputs.limit(limit) + 1L)
                .toList();
        return of(oneMore, limit, name::apply);
    }

    /** Of a list of names in order, those after {@code after}. */
    static List<String> after(List<String> names, Optional<String> after, int limit) {
        return names.stream()
                .sorted()
                .filter(name -> after.isEmpty() || name.compareTo(after.get()) > 0)
                .limit(limit)
                .toList();
    }
}
