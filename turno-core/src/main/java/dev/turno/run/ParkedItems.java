package dev.turno.run;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/** The items that another run parked, found again by their keys. The page that handles them removes them from the list. */
record ParkedItems<I>(Job<I> job, long of, PageTable table) implements Source<I> {

    @Override
    public Pages<I> open(RunTurn run) {
        Function<String, Optional<I>> reload = job.reload()
                .orElseThrow(() -> new IllegalStateException("Job '" + job.name()
                        + "' does not say how to find an item by its key; give it a reload function to revive items."));
        return new FetchedPages<>((cursor, size) -> page(run, reload, cursor, size), run.cursor());
    }

    private Optional<Page<I>> page(
            RunTurn run, Function<String, Optional<I>> reload, Optional<String> cursor, int size) {
        List<Letter> letters = table.letters(of, cursor.map(Long::parseLong).orElse(0L), size);
        if (letters.isEmpty()) {
            return Optional.empty();
        }
        List<I> items = new ArrayList<>();
        for (Letter letter : letters) {
            Optional<I> item = reload.apply(letter.itemKey());
            item.ifPresentOrElse(items::add, () -> run.log("Item '" + letter.itemKey() + "' is gone; it is left out."));
        }
        return Optional.of(
                new Page<>(items, Long.toString(letters.get(letters.size() - 1).id())));
    }
}
