package dev.turno.web.api;

import dev.turno.web.security.Role;
import dev.turno.web.security.Route;
import java.util.List;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RestController;

@RestController
@RequestMapping("/api/v1/doctor")
class DoctorController {

    private final Doctor doctor;

    DoctorController(Doctor doctor) {
        this.doctor = doctor;
    }

    record Answer(boolean healthy, List<Doctor.Finding> findings) {}

    @GetMapping
    @Route(
            role = Role.VIEWER,
            says =
                    "Looks for what makes a database slow or wrong: clocks, old transactions, dead rows, lost indexes, a full pool.",
            gives =
                    "{\"healthy\":true,\"findings\":[{\"check\":\"clock\",\"good\":true,\"says\":\"The clocks differ by 2 ms.\",\"code\":\"clock\",\"values\":{\"ms\":2}}]}")
    Answer examine() {
        List<Doctor.Finding> findings = doctor.examine();
        return new Answer(findings.stream().allMatch(Doctor.Finding::good), findings);
    }
}
