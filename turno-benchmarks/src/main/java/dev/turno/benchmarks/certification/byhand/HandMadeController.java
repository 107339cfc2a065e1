package dev.turno.benchmarks.certification.byhand;

import dev.turno.certification.authority.EmbeddedAuthority;
import dev.turno.certification.calendar.CalendarSource;
import dev.turno.certification.calendar.Calendars;
import dev.turno.certification.sql.Sql;
import dev.turno.certification.wire.Answer;
import dev.turno.certification.wire.RequestReader;
import dev.turno.certification.wire.RequestRules;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.Map;
import java.util.UUID;
import org.springframework.http.MediaType;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RestController;

/**
 * The method as one writes it by hand, with the same reading, the same rules and the same calendar as the service: only the protection
 * against duplicates differs. Its notification is a call that returns at once. Nothing is stored for a later repetition.
 */
@RestController
public class HandMadeController {

    private final LockManagerService locks;
    private final Sql sql;
    private final Calendars calendars;
    private final EmbeddedAuthority authority;
    private final RequestReader reader = new RequestReader();
    private final RequestRules rules = new RequestRules((catalog, code) -> true, afore -> false);

    public HandMadeController(LockManagerService locks, Sql sql, Calendars calendars, EmbeddedAuthority authority) {
        this.locks = locks;
        this.sql = sql;
        this.calendars = calendars;
        this.authority = authority;
    }

    @PostMapping(
            value = "/disposicionimss/certificacion",
            produces = MediaType.APPLICATION_JSON_VALUE,
            consumes = MediaType.APPLICATION_JSON_VALUE)
    Map<String, String> certify(@RequestBody byte[] body) {
        String name = "CERT_" + md5(body);
        String process = UUID.randomUUID().toString();
        boolean acquired = false;
        try {
            acquired = acquired(name, process);
            return (acquired ? decided(body, name) : Answer.rejected("532", "06")).fields();
        } catch (RuntimeException e) {
            return Answer.rejected("999", "06").fields();
        } finally {
            if (acquired) {
                release(name, process);
            }
        }
    }

    /** Everything is caught inside of the transaction; what the commit throws becomes "busy" all the same. */
    private boolean acquired(String name, String process) {
        try {
            return locks.acquireLock(name, process);
        } catch (RuntimeException e) {
            return false;
        }
    }

    private Answer decided(byte[] body, String name) {
        var checked = rules.check(reader.read(body).orElseThrow());
        if (!(checked instanceof RequestRules.Checked.Good good)
                || !calendars.day(CalendarSource.CONSAR, calendars.today()).open()) {
            return Answer.rejected("532", "06");
        }
        return sql.transaction(connection ->
                authority.decide(good.request(), name + "-".repeat(64 - name.length()), calendars.today()));
    }

    private void release(String name, String process) {
        try {
            int unused = locks.releaseLock(name, process);
        } catch (RuntimeException e) {
            // Only logged: the row stays until it is cleaned up.
        }
    }

    private static String md5(byte[] body) {
        try {
            return HexFormat.of().formatHex(MessageDigest.getInstance("MD5").digest(body));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }
}
