package dev.turno.certification.intake;

import dev.turno.certification.authority.CertificationAuthority;
import dev.turno.certification.wire.Answer;
import dev.turno.certification.wire.CertificationRequest;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;

/** An authority outside that answers as it is told; what it was asked and what it remembers can be looked at. */
final class FakeValidator implements CertificationAuthority.Outside {

    final Queue<String> keys = new ConcurrentLinkedQueue<>();
    final Queue<String> recalled = new ConcurrentLinkedQueue<>();
    final Map<String, Asked> remembered = new ConcurrentHashMap<>();
    volatile Asked next = new Asked.Answered(Answer.rejected("700", "06"));
    volatile Runnable beforeAnswer = () -> {};

    @Override
    public Asked ask(CertificationRequest request, String key) {
        keys.add(key);
        beforeAnswer.run();
        return next;
    }

    @Override
    public Asked recall(String folio, String key) {
        Asked asked = remembered.getOrDefault(folio, new Asked.NotDone("unknown here"));
        recalled.add(key);
        return asked;
    }
}
