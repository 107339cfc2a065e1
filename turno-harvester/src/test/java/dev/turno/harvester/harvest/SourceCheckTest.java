package dev.turno.harvester.harvest;

import static org.assertj.core.api.Assertions.assertThat;

import dev.turno.harvester.demo.DemoProvider;
import dev.turno.harvester.demo.DemoRepository;
import dev.turno.harvester.demo.Mischief;
import dev.turno.harvester.network.Network;
import dev.turno.harvester.oai.OaiClient;
import dev.turno.harvester.oai.OaiOptions;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class SourceCheckTest {

    private final DemoProvider provider = DemoProvider.start(new DemoRepository("demo", 25), 10, 0);
    private final SourceCheck check =
            new SourceCheck(new OaiClient(OaiOptions.defaults().hasty(Duration.ofMinutes(1))));

    SourceCheckTest() throws IOException {}

    @AfterEach
    void close() {
        provider.close();
    }

    @Test
    void a_good_source_is_found_usable() {
        SourceCheck.Finding finding = check.check(Network.of("DEMO", provider.url()));

        assertThat(finding.usable()).isTrue();
        assertThat(finding.identity().orElseThrow().repositoryName()).isEqualTo("demo");
        assertThat(finding.formats()).containsExactly("oai_dc");
        assertThat(finding.sets()).contains("theses");
        assertThat(finding.records()).isEqualTo(10);
        assertThat(finding.listSize()).contains(25L);
        assertThat(finding.warnings()).isEmpty();
    }

    @Test
    void what_somebody_should_know_is_told() {
        provider.rememberDeletions("transient");
        provider.misbehave(Mischief.onPage(1, Mischief.text(xml -> xml.replaceFirst("<metadata>.*?</metadata>", ""))));

        SourceCheck.Finding finding =
                check.check(Network.of("DEMO", provider.url()).withSets(List.of("none")));

        assertThat(finding.usable()).isFalse();
        assertThat(finding.warnings())
                .anyMatch(text -> text.contains("does not remember deletions"))
                .anyMatch(text -> text.contains("no set 'none'"))
                .anyMatch(text -> text.contains("noRecordsMatch"));
    }

    @Test
    void an_address_with_nothing_behind_it_is_told() {
        SourceCheck.Finding finding =
                check.check(Network.of("DEMO", provider.url().replace("/oai", "/none")));

        assertThat(finding.usable()).isFalse();
        assertThat(finding.warnings()).anyMatch(text -> text.contains("404"));
    }
}
