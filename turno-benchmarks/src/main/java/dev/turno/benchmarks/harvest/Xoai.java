package dev.turno.benchmarks.harvest;

import io.gdcc.xoai.model.oaipmh.Granularity;
import io.gdcc.xoai.model.oaipmh.results.Record;
import io.gdcc.xoai.serviceprovider.ServiceProvider;
import io.gdcc.xoai.serviceprovider.client.OAIClient;
import io.gdcc.xoai.serviceprovider.model.Context;
import io.gdcc.xoai.serviceprovider.parameters.ListRecordsParameters;
import java.nio.file.Path;
import java.util.Iterator;

/** xoai-service-provider 5.3.0: as its documentation shows it, or without looking into the metadata. It stores nothing. */
final class Xoai implements Contestant {

    private final boolean raw;

    Xoai(boolean raw) {
        this.raw = raw;
    }

    @Override
    public String who() {
        return raw ? "xoai-service-provider, raw" : "xoai-service-provider, default";
    }

    @Override
    public int share() {
        return raw ? 300 : 30;
    }

    @Override
    public Harvested harvest(String url, Path folder) throws Exception {
        long start = System.nanoTime();
        Context context = new Context()
                .withBaseUrl(url)
                .withGranularity(Granularity.Second)
                .withOAIClient(OAIClient.newBuilder().withBaseUrl(url).build())
                .withMetadataTransformer("oai_dc", Context.KnownTransformer.OAI_DC);
        if (raw) {
            context.withSaveUnparsedMetadata();
        }
        Iterator<Record> records = new ServiceProvider(context)
                .listRecords(ListRecordsParameters.request().withMetadataPrefix("oai_dc"));
        long count = 0;
        while (records.hasNext()) {
            records.next();
            count++;
        }
        return new Harvested(count, (System.nanoTime() - start) / 1e9);
    }
}
