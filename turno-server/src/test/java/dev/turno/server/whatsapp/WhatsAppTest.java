package dev.turno.server.whatsapp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.turno.Turno;
import dev.turno.TurnoOptions;
import dev.turno.buffer.Buffers;
import dev.turno.buffer.Burst;
import dev.turno.buffer.BurstMessage;
import dev.turno.server.SharedDatabase;
import dev.turno.testkit.database.OnEveryDatabase;
import dev.turno.testkit.database.TestDatabase;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Optional;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("security")
@OnEveryDatabase
class WhatsAppTest {

    private static final String APP_SECRET = "0123456789abcdef0123456789abcdef";
    private static final String PHONE = "34600000001";

    private final Turno turno;
    private final WhatsApp whatsapp;

    WhatsAppTest(TestDatabase kind) {
        this.turno = Turno.open(
                SharedDatabase.on(kind).dataSource(),
                TurnoOptions.defaults().withNamespace(SharedDatabase.namespace()));
        this.whatsapp = new WhatsApp(() -> turno.buffers("whatsapp"), "agreed", APP_SECRET);
    }

    @AfterEach
    void close() {
        turno.close();
    }

    private Buffers buffer() {
        return turno.buffers("whatsapp");
    }

    private static String notification(String messages) {
        return "{\"object\":\"whatsapp_business_account\",\"entry\":[{\"id\":\"1\",\"changes\":[{\"field\":\"messages\","
                + "\"value\":{\"messaging_product\":\"whatsapp\",\"metadata\":{\"phone_number_id\":\"9\"},"
                + "\"contacts\":[{\"wa_id\":\"" + PHONE + "\"}],\"messages\":[" + messages + "]}}]}]}";
    }

    private static String text(String id, String body, long at) {
        return "{\"from\":\"" + PHONE + "\",\"id\":\"" + id + "\",\"timestamp\":\"" + at + "\",\"type\":\"text\","
                + "\"text\":{\"body\":\"" + body + "\"}}";
    }

    /** As Meta does it, written apart from the code under test. */
    private static String signature(byte[] body) throws Exception {
        Mac mac = Mac.getInstance("HmacSHA256");
        mac.init(new SecretKeySpec(APP_SECRET.getBytes(StandardCharsets.UTF_8), "HmacSHA256"));
        return "sha256=" + String.format("%064x", new BigInteger(1, mac.doFinal(body)));
    }

    private WhatsApp.Received receive(String json) throws Exception {
        byte[] body = json.getBytes(StandardCharsets.UTF_8);
        return whatsapp.receive(body, signature(body));
    }

    private Burst burst() {
        assertThat(buffer().flush(PHONE)).isTrue();
        return buffer().rows().take(turno.holder(), 1).get(0).row();
    }

    @Test
    void messages_wait_in_the_buffer_under_their_phone_number_in_the_order_of_their_sender() throws Exception {
        assertThat(receive(notification(text("wamid.2", "quiero reserva", 1_760_000_002))))
                .isEqualTo(WhatsApp.Received.STORED);
        receive(notification(
                text("wamid.1", "hola \\u00f1", 1_760_000_001) + "," + text("wamid.3", "gracias", 1_760_000_003)));

        Burst burst = burst();

        assertThat(burst.key()).isEqualTo(PHONE);
        assertThat(burst.text()).isEqualTo("hola ñ\nquiero reserva\ngracias");
        assertThat(burst.messages())
                .extracting(BurstMessage::sentAt)
                .first()
                .isEqualTo(Optional.of(Instant.ofEpochSecond(1_760_000_001)));
    }

    @Test
    void what_is_sent_again_is_stored_once() throws Exception {
        receive(notification(text("wamid.1", "hola", 1_760_000_001)));
        receive(notification(text("wamid.1", "hola", 1_760_000_001) + "," + text("wamid.2", "otra", 1_760_000_002)));

        assertThat(burst().text()).isEqualTo("hola\notra");
    }

    @Test
    void one_that_is_too_long_does_not_take_the_others_with_it() throws Exception {
        String tooLong = "x".repeat(buffer().options().maxBody() + 1);
        receive(notification(text("wamid.1", "hola", 1_760_000_001) + "," + text("wamid.2", tooLong, 1_760_000_002)
                + "," + text("wamid.3", "gracias", 1_760_000_003)));

        assertThat(burst().text()).isEqualTo("hola\ngracias");
    }

    @Test
    void what_is_not_a_text_is_handed_over_as_json_under_its_type() throws Exception {
        String image = "{\"from\":\"" + PHONE + "\",\"id\":\"wamid.7\",\"timestamp\":\"1760000001\",\"type\":\"image\","
                + "\"image\":{\"id\":\"123\",\"mime_type\":\"image/jpeg\"}}";
        receive(notification(image));

        BurstMessage message = burst().messages().get(0);

        assertThat(message.type()).isEqualTo("image");
        assertThat(message.body()).contains("\"mime_type\":\"image/jpeg\"");
    }

    @Test
    void statuses_are_taken_note_of_and_nothing_else() throws Exception {
        assertThat(receive(
                        "{\"entry\":[{\"changes\":[{\"value\":{\"statuses\":[{\"id\":\"wamid.9\",\"status\":\"read\","
                                + "\"recipient_id\":\"" + PHONE + "\"}]}}]}]}"))
                .isEqualTo(WhatsApp.Received.STORED);

        assertThat(buffer().find(PHONE)).isEmpty();
    }

    @Test
    void what_meta_did_not_sign_is_not_looked_at() throws Exception {
        byte[] body = notification(text("wamid.1", "hola", 1_760_000_001)).getBytes(StandardCharsets.UTF_8);
        String good = signature(body);
        byte[] spelledOtherwise =
                new String(body, StandardCharsets.UTF_8).replace(":[", ": [").getBytes(StandardCharsets.UTF_8);

        assertThat(whatsapp.receive(body, null)).isEqualTo(WhatsApp.Received.FORGED);
        assertThat(whatsapp.receive(body, "")).isEqualTo(WhatsApp.Received.FORGED);
        assertThat(whatsapp.receive(body, "sha256=")).isEqualTo(WhatsApp.Received.FORGED);
        assertThat(whatsapp.receive(body, good.substring(7))).isEqualTo(WhatsApp.Received.FORGED);
        assertThat(whatsapp.receive(body, good.replaceFirst("=.", "=g"))).isEqualTo(WhatsApp.Received.FORGED);
        assertThat(whatsapp.receive(spelledOtherwise, good)).isEqualTo(WhatsApp.Received.FORGED);
        assertThat(buffer().find(PHONE)).isEmpty();
        assertThat(whatsapp.receive(body, good)).isEqualTo(WhatsApp.Received.STORED);
    }

    @Test
    void what_is_signed_and_unusable_is_dropped_so_that_it_is_not_sent_for_ever() throws Exception {
        for (String body : new String[] {
            "", "not json", "[]", "{\"entry\":7}", notification("{}"), notification("{\"from\":\"1\",\"id\":\"\"}")
        }) {
            assertThat(receive(body)).as(body).isEqualTo(WhatsApp.Received.STORED);
        }
        receive(notification("{\"type\":\"text\"}," + text("wamid.1", "hola", 1_760_000_001)));
        assertThat(burst().text()).as("the good one beside a bad one").isEqualTo("hola");
    }

    @Test
    void the_challenge_is_answered_to_who_knows_the_token() {
        assertThat(whatsapp.verify("subscribe", "agreed", "1158201444")).contains("1158201444");
        assertThat(whatsapp.verify("subscribe", "agree", "1")).isEmpty();
        assertThat(whatsapp.verify("subscribe", null, "1")).isEmpty();
        assertThat(whatsapp.verify("unsubscribe", "agreed", "1")).isEmpty();
        assertThat(whatsapp.verify(null, "agreed", "1")).isEmpty();
    }

    @Test
    void without_secrets_there_is_no_endpoint() {
        assertThatThrownBy(() -> new WhatsApp(this::buffer, " ", APP_SECRET))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> new WhatsApp(this::buffer, "agreed", "")).isInstanceOf(IllegalArgumentException.class);
    }
}
