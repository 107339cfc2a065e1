package dev.turno.harvester.demo;

import java.util.List;
import java.util.Random;

/** Invents records that look like those of a university's repository; the same number gives the same record. */
final class DemoRecords {

    private static final List<String> PEOPLE = List.of(
            "Quiroga Sanz, Alba",
            "Lima Duarte, Célia",
            "Okafor, Ngozi",
            "Brandt, Jürgen",
            "Ferreyra, Tomás",
            "Ibarra Luna, Inés");
    private static final List<String> WORDS = List.of(
            "soil",
            "river",
            "teaching",
            "energy",
            "memory",
            "migration",
            "health",
            "forest",
            "language",
            "market",
            "coral",
            "law");
    private static final List<String> PLACES =
            List.of("the Andes", "the Río de la Plata", "Oaxaca", "the Algarve", "São Tomé", "Patagonia");
    private static final List<String> TYPES = List.of(
            "info:eu-repo/semantics/article",
            "info:eu-repo/semantics/masterThesis",
            "info:eu-repo/semantics/doctoralThesis");
    private static final List<String> RIGHTS =
            List.of("info:eu-repo/semantics/openAccess", "info:eu-repo/semantics/restrictedAccess");
    private static final List<String> SENTENCES = List.of(
            "We measured it over several seasons and compare the result with what was known.",
            "Se presentan los datos de diez años y se discuten sus límites.",
            "The interviews show a picture that the statistics alone would hide.",
            "Os resultados sugerem uma relação mais fraca do que se supunha.",
            "A simple model explains most of what was observed, and fails where it should.");

    private DemoRecords() {}

    static String dublinCore(int number, int version) {
        Random dice = new Random(number * 31L + version);
        StringBuilder xml = new StringBuilder(3_000);
        xml.append("<oai_dc:dc xmlns:oai_dc=\"http://www.openarchives.org/OAI/2.0/oai_dc/\"")
                .append(" xmlns:dc=\"http://purl.org/dc/elements/1.1/\"")
                .append(" xmlns:xsi=\"http://www.w3.org/2001/XMLSchema-instance\"")
                .append(" xsi:schemaLocation=\"http://www.openarchives.org/OAI/2.0/oai_dc/")
                .append(" http://www.openarchives.org/OAI/2.0/oai_dc.xsd\">");
        String topic = one(WORDS, dice);
        dc(
                xml,
                "title",
                "On " + topic + " and " + one(WORDS, dice) + " in " + one(PLACES, dice) + ", no. " + number
                        + (version > 0 ? " (revised " + version + ")" : ""));
        for (int i = 0; i <= dice.nextInt(3); i++) {
            dc(xml, "creator", one(PEOPLE, dice));
        }
        dc(xml, "subject", topic);
        dc(xml, "subject", one(WORDS, dice));
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < 12 + dice.nextInt(8); i++) {
            text.append(one(SENTENCES, dice)).append(' ');
        }
        dc(xml, "description", text.toString().strip());
        dc(xml, "publisher", "Universidad de la Demostración");
        dc(xml, "date", (1990 + dice.nextInt(36)) + "-0" + (1 + dice.nextInt(9)));
        dc(xml, "type", one(TYPES, dice));
        dc(xml, "format", "application/pdf");
        dc(xml, "identifier", "https://repository.example/handle/1000/" + number);
        dc(xml, "identifier", "https://doi.org/10.5555/demo." + number);
        dc(xml, "language", List.of("spa", "eng", "por").get(dice.nextInt(3)));
        dc(xml, "rights", one(RIGHTS, dice));
        return xml.append("</oai_dc:dc>").toString();
    }

    private static String one(List<String> of, Random dice) {
        return of.get(dice.nextInt(of.size()));
    }

    private static void dc(StringBuilder xml, String element, String value) {
        xml.append("<dc:").append(element).append('>');
        xml.append(escape(value));
        xml.append("</dc:").append(element).append('>');
    }

    static String escape(String text) {
        return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;");
    }
}
