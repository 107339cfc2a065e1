package dev.turno.run;

import dev.turno.StatesPage;
import java.io.IOException;
import org.junit.jupiter.api.Test;

class StatesPageTest {

    @Test
    void the_page_shows_the_arrows_of_a_run() throws IOException {
        StatesPage.shows(RunState.values(), RunState::next);
    }
}
