package dev.turno.harvester.index;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.StringReader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import javax.xml.transform.stream.StreamSource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class XsltCrosswalkTest {

    private static final String STYLESHEET = """
            <xsl:stylesheet version="1.0" xmlns:xsl="http://www.w3.org/1999/XSL/Transform"
                            xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:run="http://xml.apache.org/xalan/java/java.lang.Runtime">
              <xsl:template match="/"><doc>%s</doc></xsl:template>
            </xsl:stylesheet>
            """;

    private static IndexDocument document(String template) {
        return XsltCrosswalk.of(IndexKind.FRONTEND, new StreamSource(new StringReader(STYLESHEET.formatted(template))))
                .document(Items.network(7, "RN"), 12, Items.record(3, "El árbol & la rama"));
    }

    @Test
    void the_fields_that_a_stylesheet_makes_are_those_of_the_document_beside_id_network_and_snapshot() {
        IndexDocument made = document("""
                <field name="title"><xsl:value-of select="//dc:title"/></field>
                <field name="kind">article</field><field name="kind">text</field><field name="empty"/>
                """);

        assertThat(made.id())
                .isEqualTo(IndexDocument.idOf(7, Items.record(3, "").identifier()));
        assertThat(made.first("title")).contains("El árbol & la rama");
        assertThat(made.all("kind")).isEqualTo(List.of("article", "text"));
        assertThat(made.fields()).doesNotContainKey("empty");
        assertThat(made.first(IndexKind.FRONTEND.networkField())).contains("7");
        assertThat(made.first(IndexKind.FRONTEND.snapshotField())).contains("12");
    }

    @Test
    void a_stylesheet_can_neither_read_files_nor_call_java(@TempDir Path folder) throws Exception {
        Path secret = Files.writeString(folder.resolve("secret.xml"), "<secret>only for us</secret>");

        assertThatThrownBy(() -> document(
                        "<field name=\"x\"><xsl:value-of select=\"document('" + secret.toUri() + "')\"/></field>"))
                .hasMessageContaining("The stylesheet made no document of record");
        assertThatThrownBy(() -> document("<field name=\"x\"><xsl:value-of select=\"run:getRuntime()\"/></field>"))
                .hasMessageContaining("is not allowed");
    }

    @Test
    void what_is_no_stylesheet_is_refused_when_it_is_given() {
        assertThatThrownBy(() -> document("<xsl:nonsense/"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("The stylesheet cannot be used");
    }
}
