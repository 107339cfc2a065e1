package dev.turno.benchmarks.certification.byhand;

import jakarta.persistence.Column;
import jakarta.persistence.Entity;
import jakarta.persistence.GeneratedValue;
import jakarta.persistence.GenerationType;
import jakarta.persistence.Id;
import jakarta.persistence.Index;
import jakarta.persistence.SequenceGenerator;
import jakarta.persistence.Table;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** A row per lock that is held. */
@Entity
@Table(
        name = "TB_NSAR_BLOQUEO_DISTRIBUIDO",
        indexes = {
            @Index(name = "IDX_LLAVE_BLOQUEO", columnList = "CH_LLAVE_BLOQUEO", unique = true),
            @Index(name = "IDX_FECHA_EXPIRACION", columnList = "FC_EXPIRA_BLOQUEO")
        })
public class DistributedLock {

    @Id
    @Column(name = "ID_BLOQUEO_DISTRIBUIDO")
    @GeneratedValue(strategy = GenerationType.SEQUENCE, generator = "bloqueoSequence")
    @SequenceGenerator(name = "bloqueoSequence", sequenceName = "SEQ_TB_NSAR_BLOQUEO_DISTRIBUIDO", allocationSize = 1)
    private @Nullable Long id;

    @Column(name = "CH_LLAVE_BLOQUEO", length = 255, nullable = false, unique = true)
    private String name = "";

    @Column(name = "CH_PROCESO_BLOQUEO", length = 100, nullable = false)
    private String process = "";

    @Column(name = "FC_INICIO_BLOQUEO", nullable = false)
    private Instant startedAt = Instant.EPOCH;

    @Column(name = "FC_EXPIRA_BLOQUEO", nullable = false)
    private Instant expiresAt = Instant.EPOCH;

    @Column(name = "CH_USUARIO_MODIFICADOR", length = 50)
    private String user = "SYSTEM";

    @Column(name = "CH_NOMBRE_SERVICIO", length = 100)
    private String service = "CERT_AFORE";

    /** For JPA. */
    protected DistributedLock() {}

    DistributedLock(String name, String process, Instant startedAt, Instant expiresAt) {
        this.name = name;
        this.process = process;
        this.startedAt = startedAt;
        this.expiresAt = expiresAt;
    }

    String process() {
        return process;
    }

    @Override
    public String toString() {
        return id + " " + name + " " + process + " " + startedAt + " " + expiresAt + " " + user + " " + service;
    }
}
