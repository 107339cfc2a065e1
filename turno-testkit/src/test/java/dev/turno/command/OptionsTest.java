package dev.turno.command;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.turno.testkit.chaos.Fault;
import dev.turno.testkit.database.TestDatabase;
import java.util.List;
import org.junit.jupiter.api.Test;

class OptionsTest {

    @Test
    void what_was_said_is_found_and_the_rest_is_as_usual() {
        Options options = new Options("--inside", "--seconds", "7", "--db", "h2", "--faults", "kill,lost-answers");

        assertThat(options.flag("--inside")).isTrue();
        assertThat(options.number("--seconds", 60, 1, 100)).isEqualTo(7);
        assertThat(options.number("--rate", 800, 1, 1_000)).isEqualTo(800);
        assertThat(options.one("--db", TestDatabase.POSTGRESQL)).isEqualTo(TestDatabase.H2);
        assertThat(options.some("--faults", Fault.class)).isEqualTo(List.of(Fault.KILL, Fault.LOST_ANSWERS));
        options.end();
    }

    @Test
    void all_of_them_are_meant_if_none_is_named() {
        assertThat(new Options().some("--faults", Fault.class)).containsExactly(Fault.values());
        assertThat(new Options("--faults", "all").some("--faults", Fault.class)).containsExactly(Fault.values());
    }

    @Test
    void a_misspelt_option_is_refused_with_those_that_there_are() {
        Options options = new Options("--sed", "5");
        options.number("--seed", 1, 1, 9);

        assertThatThrownBy(options::end).hasMessageContaining("'--sed'").hasMessageContaining("[--seed]");
    }

    @Test
    void values_that_cannot_be_used_are_refused_with_those_that_can() {
        assertThatThrownBy(() -> new Options("--seed").number("--seed", 1, 1, 9))
                .hasMessageContaining("needs a value");
        assertThatThrownBy(() -> new Options("--seed", "--db").number("--seed", 1, 1, 9))
                .hasMessageContaining("needs a value");
        assertThatThrownBy(() -> new Options("--seed", "x").number("--seed", 1, 1, 9))
                .hasMessageContaining("--seed x is no whole number");
        assertThatThrownBy(() -> new Options("--seed", "10").number("--seed", 1, 1, 9))
                .hasMessageContaining("not within 1 and 9");
        assertThatThrownBy(() -> new Options("--db", "oracle").one("--db", TestDatabase.H2))
                .hasMessageContaining("'oracle'")
                .hasMessageContaining("[h2, postgresql, mariadb]");
    }

    @Test
    void wrong_words_begin_nothing_and_answer_two() throws Exception {
        int code = Options.run(new String[] {"--oops"}, options -> {
            options.end();
            return 0;
        });

        assertThat(code).isEqualTo(2);
    }
}
