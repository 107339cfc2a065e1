package dev.turno.harvester.store;

import static org.assertj.core.api.Assertions.assertThat;

import dev.turno.harvester.record.OaiRecord;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class PageBufferTest {

    private static final Instant WHEN = Instant.parse("2026-03-04T05:06:07Z");

    @Test
    void records_come_back_as_they_were() throws IOException {
        List<OaiRecord> records = List.of(
                new OaiRecord("oai:plain:1", WHEN, false, List.of("a", "b"), "oai_dc", "<dc>one</dc>"),
                new OaiRecord("oai:gone:2", WHEN, true, List.of(), "oai_dc", ""),
                new OaiRecord("oai:ñandú:3", WHEN, false, List.of("año", "\uFFFD"), "µ", "<dc>\uD83D\uDE00 ñ</dc>"),
                new OaiRecord("oai:\uD83D\uDE00:\u0000:4", WHEN, false, List.of(""), "", "<dc/>"));

        assertThat(thereAndBack(records)).isEqualTo(records);
    }

    @Test
    void also_if_they_fill_several_blocks() throws IOException {
        Random random = new Random(1);
        List<OaiRecord> records = new ArrayList<>();
        for (int i = 0; i < 300; i++) {
            String xml = "<dc>" + "é".repeat(random.nextInt(10_000)) + i + "</dc>";
            records.add(new OaiRecord("oai:" + i, WHEN.plusMillis(i), false, List.of("s" + i % 7), "oai_dc", xml));
        }

        assertThat(thereAndBack(records)).isEqualTo(records);
    }

    private static List<OaiRecord> thereAndBack(List<OaiRecord> records) throws IOException {
        try (PageBuffer buffer = new PageBuffer()) {
            for (OaiRecord record : records) {
                byte[] xml = record.xml().getBytes(StandardCharsets.UTF_8);
                buffer.add(record, xml, xml.length);
            }
            return PageBuffer.unpack(buffer.packed(), 7).stream()
                    .map(Row::record)
                    .toList();
        }
    }
}
