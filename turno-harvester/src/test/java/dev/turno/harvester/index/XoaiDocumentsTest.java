package dev.turno.harvester.index;

import static org.assertj.core.api.Assertions.assertThat;

import dev.turno.harvester.network.StoredNetwork;
import dev.turno.harvester.provider.OaiProvider;
import dev.turno.harvester.provider.ProviderIdentity;
import dev.turno.harvester.walk.Walk;
import java.lang.reflect.Proxy;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Items and those who harvest them while they are written. */
class XoaiDocumentsTest {

    private static final StoredNetwork NETWORK = Items.network(1, "N");
    private static final Pattern DATE = Pattern.compile("<responseDate>([^<]+)</responseDate>");

    @TempDir
    private Path folder;

    private Instant now = Instant.parse("2026-06-01T12:00:00Z");
    private final List<String> datesOfResponses = new ArrayList<>();

    private String list(IndexTarget index, String... arguments) {
        Map<String, List<String>> all =
                new TreeMap<>(Map.of("verb", List.of("ListIdentifiers"), "metadataPrefix", List.of("oai_dc")));
        for (int i = 0; i < arguments.length; i += 2) {
            all.put(arguments[i], List.of(arguments[i + 1]));
        }
        ProviderIdentity identity =
                new ProviderIdentity("T", "https://example.org/oai", "example.org", List.of("a@example.org"));
        return new OaiProvider(index, identity, () -> now, 100).answer(all);
    }

    /** Somebody harvests just before each page is shown, which takes its time. */
    private IndexTarget slow(IndexTarget index, List<Duration> takes) {
        return (IndexTarget) Proxy.newProxyInstance(
                getClass().getClassLoader(), new Class<?>[] {IndexTarget.class}, (self, method, given) -> {
                    if (method.getName().equals("publish")) {
                        now = now.plus(takes.size() > 1 ? takes.remove(0) : takes.get(0));
                        Matcher date = DATE.matcher(list(index));
                        assertThat(date.find()).isTrue();
                        datesOfResponses.add(date.group(1));
                    }
                    return method.invoke(index, given);
                });
    }

    private void write(IndexTarget target, List<Duration> takes) {
        new XoaiDocuments(slow(target, new ArrayList<>(takes)), new XoaiCrosswalk(), () -> now)
                .write(
                        NETWORK,
                        Walk.all(1),
                        IntStream.range(0, 20)
                                .mapToObj(i -> Items.record(i, "t"))
                                .toList(),
                        List.of(),
                        line -> {});
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 2, 299, 301, 3_600})
    void who_harvests_while_items_are_written_gets_them_the_next_time(int seconds) {
        try (LuceneTarget index = LuceneTarget.open(IndexKind.XOAI, folder)) {
            write(index, List.of(Duration.ofSeconds(seconds), Duration.ofSeconds(1)));

            now = now.plusSeconds(60);
            for (String date : datesOfResponses) {
                assertThat(list(index, "from", date).split("<identifier>", -1)).hasSize(21);
            }
        }
    }

    @Test
    void an_index_that_is_always_slow_does_not_keep_the_run_for_ever() {
        try (LuceneTarget index = LuceneTarget.open(IndexKind.XOAI, folder)) {
            write(index, List.of(Duration.ofHours(1)));

            assertThat(datesOfResponses).hasSize(3);
            assertThat(index.count(NETWORK.id())).isEqualTo(20);
        }
    }

    @Test
    void who_uses_its_own_clock_is_given_what_is_there_already() {
        try (LuceneTarget index = LuceneTarget.open(IndexKind.XOAI, folder)) {
            write(index, List.of(Duration.ofSeconds(1)));

            assertThat(list(index).split("<identifier>", -1)).hasSize(21);
        }
    }
}
