package dev.turno.certification.authority;

import dev.turno.certification.wire.Answer;
import dev.turno.certification.wire.CertificationRequest;
import java.math.BigDecimal;
import java.time.LocalDate;
import java.util.Optional;

/** Who decides about requests. */
public sealed interface CertificationAuthority {

    /** Decides by rows of this database, in the transaction that stores the answer: both happen or neither. */
    non-sealed interface Inside extends CertificationAuthority {

        /**
         * @param id of the decision, for the rows that it leaves behind; another one for each worker and day, since a folio may come back
         *     when its answer is no longer kept
         */
        Answer decide(CertificationRequest request, String id, LocalDate today);

        /**
         * What would be decided by what is there now, without writing anything: it is stored only if nobody decided about the worker
         * meanwhile. Empty if it cannot be told before; then it is decided in the transaction.
         */
        default Optional<Proposal> propose(CertificationRequest request, String id, LocalDate today) {
            return Optional.empty();
        }
    }

    /** A decision that was not written yet. An empty resolution: it leaves no row behind. */
    record Proposal(Answer answer, Optional<Resolution> resolution) {

        /** Without anything personal: it may end in a log. */
        @Override
        public String toString() {
            return "Proposal[" + resolution + "]";
        }
    }

    /** What is granted to the worker of the request. */
    record Resolution(LocalDate day, BigDecimal amount) {

        /** Without anything personal: it may end in a log. */
        @Override
        public String toString() {
            return "Resolution[day=" + day + "]";
        }
    }

    /** Is asked over a network, where an answer can be lost on the way. Nothing here throws. */
    non-sealed interface Outside extends CertificationAuthority {

        /** @param key the same whenever the same request is sent */
        Asked ask(CertificationRequest request, String key);

        /**
         * What became of a request that was sent before.
         *
         * @param key under which it was sent: another AFORE may have the same folio
         */
        Asked recall(String folio, String key);
    }

    /** What is known after asking. */
    sealed interface Asked {

        record Answered(Answer answer) implements Asked {}

        /** It was not done, for certain: it may be sent again. */
        record NotDone(String why) implements Asked {}

        /** It may have been done. */
        record Unknown(String why) implements Asked {}
    }
}
