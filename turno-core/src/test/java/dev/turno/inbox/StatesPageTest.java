package dev.turno.inbox;

import dev.turno.StatesPage;
import java.io.IOException;
import org.junit.jupiter.api.Test;

class StatesPageTest {

    @Test
    void the_page_shows_the_arrows_of_an_inbox_message() throws IOException {
        StatesPage.shows(InboxState.values(), InboxState::next);
    }
}
