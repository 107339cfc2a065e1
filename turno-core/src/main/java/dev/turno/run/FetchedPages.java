package dev.turno.run;

import java.util.Optional;

/** Page after page by cursor. A source that gives the same cursor twice would never end. */
final class FetchedPages<I> implements Pages<I> {

    private final Source.PageFetch<I> fetch;
    private Optional<String> cursor;

    FetchedPages(Source.PageFetch<I> fetch, Optional<String> cursor) {
        this.fetch = fetch;
        this.cursor = cursor;
    }

    @Override
    public Optional<Page<I>> next(int size) throws Exception {
        Optional<Page<I>> page = fetch.after(cursor, size);
        if (page.isPresent()) {
            Optional<String> next = page.map(Page::cursor);
            if (next.equals(cursor)) {
                throw new IllegalStateException("The source gave the cursor '" + next.get()
                        + "' twice: it would give the same page for ever. The run keeps what it has stored."
                        + " See to it that each page's cursor lies behind the one before.");
            }
            cursor = next;
        }
        return page;
    }
}
