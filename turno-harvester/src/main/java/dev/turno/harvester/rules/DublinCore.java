package dev.turno.harvester.rules;

import java.util.Set;

/** The fifteen elements of Dublin Core, as fields. */
final class DublinCore {

    static final Set<String> ELEMENTS = Set.of(
            "dc.title",
            "dc.creator",
            "dc.subject",
            "dc.description",
            "dc.publisher",
            "dc.contributor",
            "dc.date",
            "dc.type",
            "dc.format",
            "dc.identifier",
            "dc.source",
            "dc.language",
            "dc.relation",
            "dc.coverage",
            "dc.rights");

    private DublinCore() {}
}
