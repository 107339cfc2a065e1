package dev.turno.benchmarks.certification.byhand;

import java.time.Instant;
import java.util.Optional;
import org.springframework.data.jpa.repository.JpaRepository;
import org.springframework.data.jpa.repository.Modifying;
import org.springframework.data.jpa.repository.Query;

/** The queries of the hand-made lock. */
public interface DistributedLockRepository extends JpaRepository<DistributedLock, Long> {

    @Query("select l from DistributedLock l where l.name = ?1 and l.expiresAt > ?2")
    Optional<DistributedLock> findValidLock(String name, Instant now);

    @Modifying
    @Query("delete from DistributedLock l where l.name = ?1 and l.process = ?2")
    int release(String name, String process);
}
