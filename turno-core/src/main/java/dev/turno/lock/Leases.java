package dev.turno.lock;

import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;

/** Several locks, taken in the order of their names, and given back together. Shared by threads. */
public final class Leases implements AutoCloseable {

    private final List<Lease> all;

    Leases(List<Lease> all) {
        this.all = List.copyOf(all);
    }

    /** In the order of their names. */
    public List<Lease> all() {
        return all;
    }

    public Lease of(String name) {
        return all.stream()
                .filter(lease -> lease.name().equals(name))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("Lock '" + name + "' is not among " + all + "."));
    }

    /** True if one of them was lost. */
    public boolean isLost() {
        return all.stream().anyMatch(Lease::isLost);
    }

    /** The shortest of them. */
    public Duration remaining() {
        return all.stream().map(Lease::remaining).min(Duration::compareTo).orElse(Duration.ZERO);
    }

    /** Guards the caller's transaction by all of them; see {@link Lease#guard}. */
    public void guard(Connection connection) throws SQLException {
        for (Lease lease : all) {
            lease.guard(connection);
        }
    }

    @Override
    public void close() {
        all.forEach(Lease::close);
    }
}
