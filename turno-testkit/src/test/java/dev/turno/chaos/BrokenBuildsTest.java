package dev.turno.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import dev.turno.simulation.Broken;
import dev.turno.testkit.database.TestDatabase;
import java.util.EnumSet;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class BrokenBuildsTest {

    @ParameterizedTest
    @EnumSource
    void every_rule_has_one_scene_on_every_database(TestDatabase kind) {
        assertThat(BrokenBuilds.rules(kind))
                .containsExactlyInAnyOrderElementsOf(EnumSet.complementOf(EnumSet.of(Broken.NOTHING)));
    }
}
