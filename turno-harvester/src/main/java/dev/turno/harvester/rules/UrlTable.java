package dev.turno.harvester.rules;

import dev.turno.harvester.digest.Sha256;
import dev.turno.harvester.sql.Sql;
import java.sql.Connection;
import java.time.Instant;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import javax.sql.DataSource;

/** What is known about URLs, and which of them have to be asked. Shared by threads. */
final class UrlTable {

    /** A URL to be asked. */
    record Due(long id, String url) {}

    private static final int LONGEST = 2_000;

    private final Sql sql;

    UrlTable(DataSource source) {
        this.sql = new Sql(source, "rules");
    }

    /** What is known about these URLs; those that nobody knew are written down, to be asked by the job. */
    Map<String, UrlStates.UrlState> states(Connection connection, Collection<String> urls) {
        Map<String, String> byHash = new TreeMap<>();
        urls.stream().filter(url -> url.length() <= LONGEST).forEach(url -> byHash.put(Sha256.of(url), url));
        Map<String, UrlStates.UrlState> states = new HashMap<>();
        if (!byHash.isEmpty()) {
            sql.call(connection, "url-known")
                    .param("hashes", byHash.keySet())
                    .query((row, n) ->
                            states.put(row.getString("url"), UrlStates.UrlState.valueOf(row.getString("state"))))
                    .list();
        }
        byHash.forEach((hash, url) -> {
            if (states.putIfAbsent(url, UrlStates.UrlState.UNKNOWN) == null) {
                sql.call(connection, "url-add")
                        .param("hash", hash)
                        .param("url", url)
                        .update();
            }
        });
        return states;
    }

    /** URLs that nobody has asked, or not since {@code before}. */
    List<Due> due(long after, Instant before, int limit) {
        return sql.call("url-due")
                .param("after", after)
                .param("before", sql.moment(before))
                .param("limit", limit)
                .query((row, n) -> new Due(row.getLong("id"), row.getString("url")))
                .list();
    }

    void checked(long id, UrlStates.UrlState state) {
        sql.call("url-checked").param("id", id).param("state", state.name()).update();
    }
}
