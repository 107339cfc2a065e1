package dev.turno.harvester.entity;

import static org.assertj.core.api.Assertions.assertThat;

import dev.turno.harvester.rules.Fields;
import org.junit.jupiter.api.Test;

final class EntityFinderTest {

    private final EntityFinder finder = new EntityFinder();

    @Test
    void people_organisations_and_identifiers_are_found_with_the_field_they_stand_in() {
        Fields fields = new Fields()
                .add("dc.creator", "Pérez, Ana (https://orcid.org/0000-0002-1825-0097)")
                .add("dc.contributor", "Universidad de Ejemplo")
                .add("dc.publisher", "Editorial Árbol")
                .add("dc.identifier", "https://doi.org/10.1234/ABC.5.")
                .add("dc.identifier", "http://hdl.handle.net/123.45/678")
                .add("dc.source", "Revista (ISSN 2049-3630); vol. 3");

        assertThat(finder.find(fields))
                .containsExactlyInAnyOrder(
                        new Mention(EntityKind.PERSON, "perez ana", "Pérez, Ana", "dc.creator"),
                        new Mention(EntityKind.ORCID, "0000-0002-1825-0097", "0000-0002-1825-0097", "dc.creator"),
                        new Mention(
                                EntityKind.ORGANISATION,
                                "universidad de ejemplo",
                                "Universidad de Ejemplo",
                                "dc.contributor"),
                        new Mention(EntityKind.ORGANISATION, "editorial arbol", "Editorial Árbol", "dc.publisher"),
                        new Mention(EntityKind.DOI, "10.1234/abc.5", "10.1234/ABC.5", "dc.identifier"),
                        new Mention(EntityKind.HANDLE, "123.45/678", "123.45/678", "dc.identifier"),
                        new Mention(EntityKind.ISSN, "2049-3630", "2049-3630", "dc.source"));
    }

    @Test
    void an_identifier_with_a_wrong_check_digit_is_none() {
        assertThat(finder.find(
                        new Fields().add("dc.source", "ISSN 2049-3631").add("dc.relation", "0000-0002-1825-0098")))
                .isEmpty();
        assertThat(EntityFinder.isOrcid("0000-0002-9079-593X")).isTrue();
        assertThat(EntityFinder.isIssn("2434-561X")).isTrue();
    }
}
