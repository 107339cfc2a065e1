package dev.turno.harvester.rules;

import dev.turno.harvester.rules.UrlStates.UrlState;
import dev.turno.harvester.web.HostGates;
import dev.turno.harvester.web.OwnNetwork;
import dev.turno.run.Job;
import dev.turno.run.Page;
import dev.turno.run.Source;
import dev.turno.run.Step;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
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
    private static final Duration PATIENCE = Duration.ofSeconds(20);
    private static final int MOST_REDIRECTS = 5;

    private final UrlTable urls;
    private final HostGates gates;
    private final OwnNetwork neighbours;
    // Redirects are followed here, each address being looked at before it is asked.
    private final HttpClient client = HttpClient.newBuilder()
            .connectTimeout(PATIENCE)
            .followRedirects(HttpClient.Redirect.NEVER)
            .build();

    public UrlJob(DataSource source, HostGates gates, OwnNetwork neighbours) {
        this.urls = new UrlTable(source);
        this.gates = gates;
        this.neighbours = neighbours;
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

    /** Only who says so clearly is missing; whoever is busy or silent is asked again the next time. */
    UrlState look(String url) throws InterruptedException {
        try {
            URI at = URI.create(url);
            for (int redirects = 0; redirects <= MOST_REDIRECTS; redirects++) {
                if (neighbours.forbids(at).isPresent()) {
                    return UrlState.MISSING;
                }
                HttpResponse<?> response = ask(at);
                Optional<String> next = response.headers().firstValue("Location");
                if (response.statusCode() / 100 != 3 || next.isEmpty()) {
                    return stateOf(response.statusCode());
                }
                at = at.resolve(next.get());
            }
            return UrlState.MISSING; // it leads in circles
        } catch (IllegalArgumentException e) {
            return UrlState.MISSING;
        } catch (IOException e) {
            return UrlState.UNKNOWN;
        }
    }

    /** Some servers know no HEAD, or refuse it. */
    private HttpResponse<?> ask(URI uri) throws IOException, InterruptedException {
        HttpResponse<?> head = send("HEAD", uri);
        int status = head.statusCode();
        return status == 405 || status == 501 || status == 403 || status == 404 ? send("GET", uri) : head;
    }

    private HttpResponse<?> send(String method, URI uri) throws IOException, InterruptedException {
        HttpRequest request = HttpRequest.newBuilder(uri)
                .timeout(PATIENCE)
                .method(method, HttpRequest.BodyPublishers.noBody())
                .build();
        return gates.through(uri.getHost(), () -> {
            HttpResponse<java.io.InputStream> response =
                    client.send(request, HttpResponse.BodyHandlers.ofInputStream());
            response.body().close(); // its status is enough
            return response;
        });
    }

    private static UrlState stateOf(int status) {
        return switch (status) {
            case 404, 410 -> UrlState.MISSING;
            case 408, 425, 429 -> UrlState.UNKNOWN;
            default -> status >= 500 ? UrlState.UNKNOWN : UrlState.EXISTS; // 401 and 403: it is there, behind a door
        };
    }
}
