package dev.turno.spring;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

class PropertiesTest {

    /** What an IDE knows about the properties: the description by the name. */
    private static Map<String, String> described() throws Exception {
        Map<String, String> described = new TreeMap<>();
        try (InputStream file =
                PropertiesTest.class.getResourceAsStream("/META-INF/spring-configuration-metadata.json")) {
            JsonNode properties = new JsonMapper().readTree(file).get("properties");
            properties.forEach(property -> described.put(
                    property.get("name").asString(),
                    property.path("description").asString("")));
        }
        return described;
    }

    @Test
    void an_ide_shows_every_property_with_its_description() throws Exception {
        Map<String, String> described = described();

        assertThat(described)
                .containsKeys(
                        "turno.holder.lease",
                        "turno.poll",
                        "turno.namespace",
                        "turno.schema.mode",
                        "turno.inboxes",
                        "turno.buffers",
                        "turno.locks.wait-up-to",
                        "lock.timeout.seconds",
                        "lock.retry.max",
                        "lock.retry.delay.ms",
                        "lock.cleanup.enabled",
                        "lock.cleanup.interval.seconds",
                        "application.service.name",
                        "application.user.default");
        assertThat(described)
                .allSatisfy(
                        (name, description) -> assertThat(description).as(name).isNotBlank());
    }

    @Test
    void the_guide_names_no_property_that_does_not_exist() throws Exception {
        String guide = Files.readString(Path.of("../docs/spring-boot.md"));
        List<String> named = new ArrayList<>();
        Pattern.compile("\\| `(turno\\.[a-z.-]+)`")
                .matcher(guide)
                .results()
                .forEach(found -> named.add(found.group(1)));

        assertThat(named).isNotEmpty().isSubsetOf(described().keySet());
    }
}
