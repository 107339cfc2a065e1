package dev.turno.web.dashboard;

import static dev.turno.fuzz.Property.holds;

import dev.turno.web.api.Items;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** A body with a secret field put around it in every way that JSON has: the secret is never shown, and a body without one is not touched. */
public final class RedactionFuzz {

    private static final String SECRET = "AAAA000101HDFXYZ09";
    private static final Redaction REDACTION =
            new Redaction(new DashboardProperties(false, Optional.empty(), List.of("curp")));

    private RedactionFuzz() {}

    public static void fuzzerTestOneInput(byte[] input) {
        String text = new String(input, StandardCharsets.UTF_8);
        if (text.contains(SECRET)) {
            return;
        }
        String field = "\"curp\":\"" + SECRET + "\"";
        hidden("{" + field + ",\"more\":" + text + "}");
        hidden("{\"more\":" + text + "," + field + "}");
        hidden("[" + text + ",{" + field + "}]");
        hidden("{\"more\":{" + field + "},\"more\":" + text + "}");
        hidden("{" + field + "}" + text);
        hidden(text + "{" + field + "}");
        if (text.indexOf('{') < 0) {
            holds(seen(text).equals(text), "what has no fields is shown as it is");
        }
    }

    private static void hidden(String body) {
        holds(!seen(body).contains(SECRET), "a field that is to be hidden is hidden");
    }

    // What it is asked about an answer besides the answer itself, it does not look at.
    @SuppressWarnings({"unchecked", "NullAway"})
    private static String seen(String body) {
        Glances.Waiting waiting = new Glances.Waiting(1, Instant.EPOCH, "text", body);
        Items<Glances.Waiting> seen = (Items<Glances.Waiting>)
                REDACTION.beforeBodyWrite(new Items<>(List.of(waiting), (String) null), null, null, null, null, null);
        return seen.items().get(0).body();
    }
}
