package shop;

import dev.turno.spring.InboxHandler;

/** A handler for those who derive from it elsewhere, but cannot see it. */
public class Hidden {

    @InboxHandler("orders")
    void handle(String body) {}
}
