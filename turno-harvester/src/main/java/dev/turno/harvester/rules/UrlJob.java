package dev.turno.harvester.rules;

import dev.turno.harvester.rules.UrlStates.UrlState;
import dev.turno.harvester.web.HostGates;
import dev.turno.harvester.web.OutsideClient;
import dev.turno.run.Job;
import dev.turno.run.Page;
import dev.turno.run.Source;
import dev.turno.run.Step;
import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import javax.sql.DataSource;

/**
 * Makes the job that asks the URLs which a validation wrote down: not inside of it, because one slow host would hold up everything. What
 * was found is believed for a week. Shared by threads.
 */
public final class UrlJob {

    public static final String NAME = "check-urls";

    private static final String LANE = "urls";
    private static final Duration BELIEVED = Duration.ofDays(7);
    private static final OutsideClient.Patience PATIENCE =
            new OutsideClient.Patience(Duration.ofSeconds(20), Duration.ofSeconds(30));
    private static final int MOST_REDIRECTS = 5;

    private final UrlTable urls;
    private final HostGates gates;
    private final OutsideClient client;

    public UrlJob(DataSource source, HostGates gates, OutsideClient client) {
        this.urls = new UrlTable(source);
        this.gates = gates;
        this.client = client;
    }

    public Job<?> job() {
        return Job.of(
                NAME,
                Source.paged(this::due),
                Step.outside(Step.<UrlTable.Due>each((url, page) -> urls.checked(url.id(), look(url.url())))),
                choices -> choices.pageSize(20).lane(LANE).key(UrlTable.Due::url));
    }

    private Optional<Page<UrlTable.Due>> due(Optional<String> cursor, int size) {
        List<UrlTable.Due> found =
                urls.due(cursor.map(Long::parseLong).orElse(0L), Instant.now().minus(BELIEVED), size);
        return found.isEmpty()
                ? Optional.empty()
                : Optional.of(new Page<>(
                        found, Long.toString(found.get(found.size() - 1).id())));
    }

    /** What a server said about a URL. */
    private record Said(int status, Optional<String> location) {}

    /** Only who says so clearly is missing; whoever is busy or silent is asked again the next time. */
    UrlState look(String url) throws InterruptedException {
        try {
            URI at = URI.create(url);
            for (int redirects = 0; redirects <= MOST_REDIRECTS; redirects++) {
                Said said = ask(at);
                if (said.status() / 100 != 3 || said.location().isEmpty()) {
                    return stateOf(said.status());
                }
                at = at.resolve(said.location().get());
            }
            return UrlState.MISSING; // it leads in circles
        } catch (IllegalArgumentException | OutsideClient.NotAskedException e) {
            return UrlState.MISSING;
        } catch (IOException e) {
            return UrlState.UNKNOWN;
        }
    }

    /** Some servers know no HEAD, or refuse it. */
    private Said ask(URI uri) throws IOException, InterruptedException {
        Said head = send("HEAD", uri);
        int status = head.status();
        return status == 405 || status == 501 || status == 403 || status == 404 ? send("GET", uri) : head;
    }

    private Said send(String method, URI uri) throws IOException, InterruptedException {
        return gates.through(
                String.valueOf(uri.getHost()),
                () -> client.ask(
                        method,
                        uri,
                        Map.of(),
                        PATIENCE,
                        response -> new Said(response.getCode(), OutsideClient.header(response, "Location"))));
    }

    private static UrlState stateOf(int status) {
        return switch (status) {
            case 404, 410 -> UrlState.MISSING;
            case 408, 425, 429 -> UrlState.UNKNOWN;
            default -> status >= 500 ? UrlState.UNKNOWN : UrlState.EXISTS; // 401 and 403: it is there, behind a door
        };
    }
}
