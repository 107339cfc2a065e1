package dev.turno.run;

import java.util.List;
import java.util.Optional;

/** Page after page by number. The cursor is the number of the next page and the size of all of them, as in {@code 12/100}. */
record NumberedPages<I>(Source.Paginator<I> paginator) implements Source.PageFetch<I> {

    @Override
    public Optional<Page<I>> after(Optional<String> cursor, int wished) throws Exception {
        List<String> parts = cursor.map(text -> List.of(text.split("/", 2))).orElse(List.of("0"));
        int number = Integer.parseInt(parts.get(0));
        int size = parts.size() == 2 ? Integer.parseInt(parts.get(1)) : wished;
        List<I> items = paginator.page(number, size);
        return items.isEmpty() ? Optional.empty() : Optional.of(new Page<>(items, number + 1 + "/" + size));
    }
}
