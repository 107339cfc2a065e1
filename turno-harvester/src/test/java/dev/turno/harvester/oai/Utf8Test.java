package dev.turno.harvester.oai;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.Random;
import org.junit.jupiter.api.Test;

class Utf8Test {

    private static final String ODD = "&<>\"\r\n\t'aé߿ࠀ€￿\u0000\u007f\u0080";

    private final Utf8 out = new Utf8();

    @Test
    void writes_what_the_jdk_would_write_however_the_text_is_cut() {
        Random dice = new Random(3);
        for (int round = 0; round < 2_000; round++) {
            String text = text(dice);

            out.clear();
            for (int from = 0; from < text.length(); ) {
                int length = Math.min(text.length() - from, 1 + dice.nextInt(1 + text.length()));
                out.text(text.toCharArray(), from, length);
                from += length;
            }
            out.mark('>');

            String expected =
                    new String((escaped(text) + ">").getBytes(StandardCharsets.UTF_8), StandardCharsets.UTF_8);
            assertThat(out.toString()).isEqualTo(expected);
            assertThat(out.chars()).isEqualTo(expected.length());
        }
    }

    /** Pairs, halves of pairs, and characters of each length, in up to three slices. */
    private static String text(Random dice) {
        StringBuilder text = new StringBuilder();
        for (int left = dice.nextInt(dice.nextInt(10) == 0 ? 3_000 : 20); left > 0; left--) {
            switch (dice.nextInt(5)) {
                case 0 -> text.appendCodePoint(0x10000 + dice.nextInt(0x100000));
                case 1 -> text.append((char) (0xD800 + dice.nextInt(0x800)));
                default -> text.append(ODD.charAt(dice.nextInt(ODD.length())));
            }
        }
        return text.toString();
    }

    private static String escaped(String text) {
        return text.replace("&", "&amp;")
                .replace("<", "&lt;")
                .replace(">", "&gt;")
                .replace("\r", "&#13;");
    }

    @Test
    void what_would_be_changed_by_reading_an_attribute_is_escaped_in_it() {
        out.attribute("a \"b\"\n\t\r<&>'é");

        assertThat(out).hasToString("a &quot;b&quot;&#10;&#9;&#13;&lt;&amp;&gt;'é");
    }

    @Test
    void the_beginning_of_a_long_text_is_cut_by_characters() {
        out.plain("é".repeat(5_000));

        assertThat(out.beginning(1_000)).isEqualTo("é".repeat(1_000));
        assertThat(out.chars()).isEqualTo(5_000);
    }
}
