package dev.turno.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A rule is written in other words for each database, and has to be left out of all of them. */
class BrokenTest {

    private static final List<String> FEATURES =
            List.of("holder", "lane", "inbox", "lock", "buffer", "task", "run", "action");

    @ParameterizedTest
    @EnumSource(names = "NOTHING", mode = EnumSource.Mode.EXCLUDE)
    void a_rule_is_left_out_of_the_same_statements_on_every_database(Broken broken) throws IOException {
        Set<String> there = names(changed("postgresql", broken));

        assertThat(there).isNotEmpty();
        for (String other : List.of("mariadb", "h2")) {
            Set<String> known = names(statements(other));
            Set<String> expected = there.stream().filter(known::contains).collect(Collectors.toSet());

            assertThat(names(changed(other, broken))).as(other).isEqualTo(expected);
        }
    }

    private static Map<String, String> changed(String folder, Broken broken) throws IOException {
        Map<String, String> statements = statements(folder);
        statements.values().removeIf(sql -> broken.change(sql).equals(sql));
        return statements;
    }

    /** What is one statement in one place are several in another: a look, and a mark on what it found. */
    private static Set<String> names(Map<String, String> statements) {
        UnaryOperator<String> whole = name -> name.replaceFirst("-(find|mark|classes|may)$", "");
        return statements.keySet().stream().map(whole).collect(Collectors.toCollection(TreeSet::new));
    }

    /** As they are sent, by name. */
    private static Map<String, String> statements(String folder) throws IOException {
        Map<String, String> statements = new HashMap<>();
        for (String feature : FEATURES) {
            String[] texts = resource(folder + "/" + feature).split("(?m)^-- name: ", -1);
            for (String text : List.of(texts).subList(1, texts.length)) {
                int end = text.indexOf('\n');
                String sql = text.substring(end).replaceAll("--.*", "").replaceAll("(?<!:):[a-z][a-z0-9_]*", "?");
                statements.put(
                        feature + "." + text.substring(0, end), sql.strip().replaceFirst(";$", ""));
            }
        }
        return statements;
    }

    private static String resource(String name) throws IOException {
        try (InputStream in = BrokenTest.class.getResourceAsStream("/dev/turno/sql/" + name + ".sql")) {
            assertThat(in).as(name).isNotNull();
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        }
    }
}
