package dev.turno.certification.dashboard;

import dev.turno.certification.sql.Sql;
import dev.turno.certification.wire.Answer;
import dev.turno.certification.wire.Wire;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** Limited looks at the requests. Shared by threads. */
final class OpenRequests {

    /** A request whose end nobody knows yet. */
    record Open(
            long id,
            String folio,
            String afore,
            String benefit,
            String state,
            Instant begunAt,
            Optional<Instant> sentAt) {}

    /** How many of the newest thousand were answered so; empty codes: not answered yet. */
    record Answered(String benefit, String result, String diagnosis, long count) {}

    private record Codes(String benefit, String result, String diagnosis) {}

    private final Sql sql;

    OpenRequests(Sql sql) {
        this.sql = sql;
    }

    List<Open> open() {
        return sql.call("glance.open")
                .query((row, index) -> new Open(
                        row.getLong("id"),
                        row.getString("folio"),
                        row.getString("afore"),
                        row.getString("benefit"),
                        row.getString("state"),
                        sql.moment(row, "begun_at").orElseThrow(),
                        sql.moment(row, "sent_at")))
                .list();
    }

    List<Answered> answered() {
        Map<String, Answered> all = new TreeMap<>();
        sql.call("glance.newest")
                .query((row, index) -> codes(row.getString("benefit"), Optional.ofNullable(row.getString("answer"))))
                .list()
                .forEach(codes -> all.merge(
                        codes.toString(),
                        new Answered(codes.benefit, codes.result, codes.diagnosis, 1),
                        (one, other) -> new Answered(one.benefit, one.result, one.diagnosis, one.count + other.count)));
        return List.copyOf(all.values());
    }

    private static Codes codes(String benefit, Optional<String> answer) {
        Optional<Answer> read = answer.flatMap(Wire::readAnswer);
        return new Codes(
                benefit,
                read.map(Answer::result).orElse(""),
                read.map(Answer::diagnosis).orElse(""));
    }
}
