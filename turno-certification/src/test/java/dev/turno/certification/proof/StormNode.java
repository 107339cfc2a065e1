package dev.turno.certification.proof;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.turno.certification.authority.HttpAuthority;
import dev.turno.certification.authority.SampleWorkers;
import dev.turno.certification.calendar.CalendarSource;
import dev.turno.certification.calendar.Calendars;
import dev.turno.certification.intake.Intake;
import dev.turno.certification.intake.IntakeSettings;
import dev.turno.certification.intake.Outcome;
import dev.turno.certification.notification.Notifications;
import dev.turno.certification.sql.Sql;
import dev.turno.certification.wire.CertificationRequest;
import dev.turno.certification.wire.RequestReader;
import dev.turno.certification.wire.RequestRules;
import dev.turno.certification.wire.Wire;
import dev.turno.claim.Result;
import dev.turno.lock.LockTerms;
import dev.turno.testkit.chaos.ChaosNode;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Executors;
import javax.sql.DataSource;

/**
 * One process of the service in the storm, with the validator at {@code authority=}. Its door is a port, which it writes down in the folder
 * {@code doors=}: {@code POST /7} asks for the request with number 7.
 */
final class StormNode {

    static final String PROCESS = "P00020";
    private static final int ASKED_AT_ONCE = 16;
    private static final Duration AUTHORITY = Duration.ofMillis(1_500);
    private static final LockTerms TERMS = LockTerms.of(t -> t.lease(Duration.ofSeconds(3))
            .waitUpTo(Duration.ofSeconds(1))
            .service("CERT_AFORE")
            .user("SYSTEM")
            .cleanUp(false));

    private final Intake intake;

    private StormNode(Intake intake) {
        this.intake = intake;
    }

    public static void main(String[] words) throws IOException {
        ChaosNode node = ChaosNode.start(words);
        Sql sql = new Sql(node.dataSource());
        DataSource ledger = node.newLedger(2);
        Intake intake = new Intake(
                node.turno(),
                sql,
                new Calendars(sql, Map.of(PROCESS, CalendarSource.CONSAR)),
                new HttpAuthority(URI.create(node.word("authority").orElseThrow()), AUTHORITY),
                new Notifications(node.turno(), Optional.of((id, body) -> note(ledger, id, body))),
                new IntakeSettings(TERMS, PROCESS, Duration.ofDays(7)));
        intake.start();
        new StormNode(intake).open(Path.of(node.word("doors").orElseThrow()));
        node.ready();
    }

    private static Result note(DataSource ledger, String id, String body) throws SQLException {
        try (Connection connection = ledger.getConnection();
                PreparedStatement insert = connection.prepareStatement("insert into storm_notice values (?, ?)")) {
            insert.setString(1, id);
            insert.setString(2, body);
            insert.executeUpdate();
        }
        return Result.done();
    }

    private void open(Path doors) throws IOException {
        HttpServer door = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 50);
        door.createContext("/", this::asked);
        door.setExecutor(Executors.newFixedThreadPool(ASKED_AT_ONCE));
        door.start();
        Files.createFile(doors.resolve(Integer.toString(door.getAddress().getPort())));
    }

    private void asked(HttpExchange exchange) throws IOException {
        int number = Integer.parseInt(exchange.getRequestURI().getPath().substring(1));
        Outcome outcome = intake.certify(request(number), Optional.empty());
        boolean answered = outcome instanceof Outcome.Answered;
        String text = outcome instanceof Outcome.Answered known ? Wire.write(known.answer()) : outcome.toString();
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        exchange.sendResponseHeaders(answered ? 200 : 503, bytes.length);
        exchange.getResponseBody().write(bytes);
        exchange.close();
    }

    static String folio(int number) {
        return "F-" + number;
    }

    private static CertificationRequest request(int number) {
        var read = new RequestReader.Read(SampleWorkers.request(number, folio(number), "530"), List.of());
        var checked = new RequestRules((catalog, code) -> true, afore -> false).check(read);
        if (checked instanceof RequestRules.Checked.Good good) {
            return good.request();
        }
        throw new IllegalStateException("Request " + number + " is not good: " + checked);
    }
}
