package dev.turno.harvester.rules;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

final class FieldXmlTest {

    private final FieldXml xml = new FieldXml();

    @Test
    void dublin_core_is_read_by_namespace_whatever_the_prefix() {
        Fields fields = xml.read(
                "<x:dc xmlns:x='http://www.openarchives.org/OAI/2.0/oai_dc/'"
                        + " xmlns:y='http://purl.org/dc/elements/1.1/' xmlns:t='http://purl.org/dc/terms/'>"
                        + "<y:title> A &amp; B </y:title><y:title><![CDATA[<C>]]></y:title><y:date/><t:issued>2020</t:issued></x:dc>");

        assertThat(fields.copy())
                .isEqualTo(Map.of("dc.title", List.of("A & B", "<C>"), "dcterms.issued", List.of("2020")));
    }

    @Test
    void other_formats_are_read_by_path_and_dim_by_its_attributes() {
        assertThat(xml.read("<mods><titleInfo><title>T</title></titleInfo></mods>")
                        .copy())
                .isEqualTo(Map.of("mods.titleInfo.title", List.of("T")));
        assertThat(xml.read("<d:dim xmlns:d='http://www.dspace.org/xmlns/dspace/dim'>"
                                + "<d:field mdschema='dc' element='date' qualifier='issued'>2020</d:field></d:dim>")
                        .copy())
                .isEqualTo(Map.of("dc.date.issued", List.of("2020")));
    }

    @Test
    void what_is_written_is_read_again() {
        Fields fields = new Fields()
                .add("dc.title", "<a> & \"b\"")
                .add("dcterms.issued", "2020")
                .add("provenance.url", "https://example.org/?a=1&b=2")
                .add("dc.date.issued", "1999");

        assertThat(xml.read(xml.write(fields)).copy()).isEqualTo(fields.copy());
        assertThat(xml.read(xml.writeDublinCore(fields)).copy()).isEqualTo(Map.of("dc.title", List.of("<a> & \"b\"")));
    }

    @Test
    void what_xml_cannot_hold_is_replaced() {
        String written = xml.write(new Fields().add("dc.title", "a\u0001b\uFFFFc"));

        assertThat(xml.read(written).of("dc.title")).containsExactly("a\uFFFDb\uFFFDc");
    }

    @Tag("security")
    @Test
    void what_is_not_xml_and_what_asks_for_files_is_refused() {
        assertThatThrownBy(() -> xml.read("<a><b></a>")).hasMessageContaining("cannot be read as XML");
        assertThatThrownBy(() -> xml.read("<!DOCTYPE a [<!ENTITY e SYSTEM 'file:///etc/passwd'>]><a><b>&e;</b></a>"))
                .isInstanceOf(IllegalArgumentException.class);
    }
}
