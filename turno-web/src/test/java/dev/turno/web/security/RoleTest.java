package dev.turno.web.security;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.EnumSet;
import java.util.Set;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@Tag("security")
class RoleTest {

    @ParameterizedTest
    @CsvSource({
        "viewer, viewer",
        "producer, producer",
        "operator, viewer producer operator",
        "admin, viewer producer operator admin caller",
        "caller, caller"
    })
    void a_role_covers_these_and_no_others(String role, String covered) {
        Set<Role> found = EnumSet.allOf(Role.class);
        found.removeIf(needed -> !Role.of(role).covers(needed));

        assertThat(found).extracting(Role::text).containsExactlyInAnyOrder(covered.split(" ", -1));
    }
}
