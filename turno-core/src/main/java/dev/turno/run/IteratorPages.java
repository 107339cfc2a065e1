package dev.turno.run;

import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/** An iterator cut into pages. */
final class IteratorPages<I> implements Pages<I> {

    private final Iterator<I> iterator;
    private final Optional<Function<I, String>> cursorOf;
    private long handled;

    private IteratorPages(Iterator<I> iterator, Optional<Function<I, String>> cursorOf, long handled) {
        this.iterator = iterator;
        this.cursorOf = cursorOf;
        this.handled = handled;
    }

    static <I> IteratorPages<I> counting(Iterator<I> iterator, Optional<String> cursor) {
        long before = cursor.map(Long::parseLong).orElse(0L);
        for (long i = 0; i < before && iterator.hasNext(); i++) {
            iterator.next();
        }
        return new IteratorPages<>(iterator, Optional.empty(), before);
    }

    static <I> IteratorPages<I> placed(Iterator<I> iterator, Function<I, String> cursorOf) {
        return new IteratorPages<>(iterator, Optional.of(cursorOf), 0);
    }

    @Override
    public Optional<Page<I>> next(int size) {
        List<I> items = new ArrayList<>(size);
        while (items.size() < size && iterator.hasNext()) {
            items.add(iterator.next());
        }
        if (items.isEmpty()) {
            return Optional.empty();
        }
        handled += items.size();
        I last = items.get(items.size() - 1);
        return Optional.of(
                new Page<>(items, cursorOf.map(place -> place.apply(last)).orElse(Long.toString(handled))));
    }

    @Override
    public void close() throws Exception {
        if (iterator instanceof AutoCloseable open) {
            open.close();
        }
    }
}
