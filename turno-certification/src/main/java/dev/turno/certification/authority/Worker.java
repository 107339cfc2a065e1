package dev.turno.certification.authority;

import java.math.BigDecimal;
import java.time.LocalDate;
import java.util.Optional;

/** A worker as the embedded authority knows one. Wages are daily. */
record Worker(
        String nss,
        String curp,
        String givenNames,
        String surname,
        String secondSurname,
        LocalDate openedOn,
        int weeks,
        Optional<LocalDate> leftOn,
        Optional<LocalDate> marriedOn,
        BigDecimal lastWage,
        BigDecimal meanWage,
        BigDecimal balance,
        String delegation,
        String subdelegation,
        String clinic) {

    String fullName() {
        return String.join(" ", givenNames, surname, secondSurname).strip();
    }

    @Override
    public String toString() {
        return "Worker[opened=" + openedOn + ", weeks=" + weeks + "]";
    }
}
