package dev.turno.server.whatsapp;

import static dev.turno.fuzz.Property.holds;

import dev.turno.Turno;
import dev.turno.TurnoOptions;
import dev.turno.buffer.Buffers;
import dev.turno.testkit.database.FreshDatabase;
import dev.turno.testkit.database.TestDatabase;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.Optional;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import javax.sql.DataSource;

/** A header in the first line, a notification in the others: forged unless Meta's key made it; signed, it is stored or dropped. */
public final class WhatsAppFuzz {

    private static final String SECRET = "only-for-fuzzing";
    private static final int A_DATABASE_LASTS = 5_000;
    private static final WhatsApp WHATSAPP = new WhatsApp(new Store()::buffer, "verify", SECRET);

    private WhatsAppFuzz() {}

    /** A real buffer, in memory; and now and then a new one, because nobody takes anything out of it. */
    private static final class Store {

        private Optional<Turno> turno = Optional.empty();
        private int stored;

        Buffers buffer() {
            if (stored++ % A_DATABASE_LASTS == 0) {
                turno.ifPresent(Turno::close);
                turno = Optional.of(Turno.start(warm(TestDatabase.H2.fresh()), TurnoOptions.defaults()));
            }
            return turno.orElseThrow().buffers("whatsapp");
        }

        /** The first connection loads H2 under the fuzzer's eyes, which may take longer than a pool waits. */
        private static DataSource warm(FreshDatabase database) {
            try {
                DriverManager.getConnection(database.url(), database.user(), database.password())
                        .close();
                return database.dataSource();
            } catch (SQLException e) {
                throw new IllegalStateException(e);
            }
        }
    }

    public static void fuzzerTestOneInput(byte[] input) throws GeneralSecurityException {
        int line = 0;
        while (line < input.length && input[line] != '\n') {
            line++;
        }
        String header = new String(input, 0, line, StandardCharsets.UTF_8);
        byte[] body = Arrays.copyOfRange(input, Math.min(line + 1, input.length), input.length);
        String good = "sha256=" + HexFormat.of().formatHex(hmac(body));
        if (!header.equals(good)) {
            holds(WHATSAPP.receive(body, header) == WhatsApp.Received.FORGED, "what Meta did not sign is forged");
        }
        holds(WhatsApp.isSignature(good), "a signature looks like one");
        holds(WHATSAPP.receive(body, good) == WhatsApp.Received.STORED, "what is signed is taken");
        byte[] longer = Arrays.copyOf(body, body.length + 1);
        holds(WHATSAPP.receive(longer, good) == WhatsApp.Received.FORGED, "another body needs another signature");
        holds(WHATSAPP.receive(body, good + " ") == WhatsApp.Received.FORGED, "a signature is taken to the letter");
    }

    private static byte[] hmac(byte[] body) throws GeneralSecurityException {
        Mac mac = Mac.getInstance("HmacSHA256");
        mac.init(new SecretKeySpec(SECRET.getBytes(StandardCharsets.UTF_8), "HmacSHA256"));
        return mac.doFinal(body);
    }
}
