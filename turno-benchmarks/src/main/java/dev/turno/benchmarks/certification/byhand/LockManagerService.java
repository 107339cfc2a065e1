package dev.turno.benchmarks.certification.byhand;

import java.time.Instant;
import java.util.Optional;
import org.springframework.transaction.annotation.Isolation;
import org.springframework.transaction.annotation.Transactional;

/** In three steps: is it held, save a row, read it again. Shared by threads. */
public class LockManagerService {

    private static final long TIMEOUT_SECONDS = 30;

    private final DistributedLockRepository locks;

    public LockManagerService(DistributedLockRepository locks) {
        this.locks = locks;
    }

    /** What it throws at its commit is for the caller to catch. */
    @Transactional(isolation = Isolation.SERIALIZABLE)
    public boolean acquireLock(String name, String process) {
        Instant now = Instant.now();
        Optional<DistributedLock> existing = locks.findValidLock(name, now);
        if (existing.isPresent()) {
            return existing.get().process().equals(process);
        }
        DistributedLock unused = locks.save(new DistributedLock(name, process, now, now.plusSeconds(TIMEOUT_SECONDS)));
        return locks.findValidLock(name, now)
                .filter(lock -> lock.process().equals(process))
                .isPresent();
    }

    @Transactional(isolation = Isolation.SERIALIZABLE)
    public int releaseLock(String name, String process) {
        return locks.release(name, process);
    }
}
