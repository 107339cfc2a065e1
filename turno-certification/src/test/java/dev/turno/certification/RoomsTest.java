package dev.turno.certification;

import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideOutsideOfPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import org.junit.jupiter.api.Test;

class RoomsTest {

    private static final String ROOT = "dev.turno.certification";
    private static final JavaClasses CLASSES = new ClassFileImporter()
            .withImportOption(new ImportOption.DoNotIncludeTests())
            .importPackages(ROOT);

    @Test
    void rooms_do_not_go_round_in_circles() {
        slices().matching(ROOT + ".(*)..").should().beFreeOfCycles().check(CLASSES);
    }

    @Test
    void nothing_imports_the_wiring() {
        noClasses()
                .that()
                .resideOutsideOfPackage(ROOT)
                .should()
                .dependOnClassesThat()
                .resideInAPackage(ROOT)
                .check(CLASSES);
    }

    @Test
    void the_wire_contract_knows_nobody_and_only_the_rooms_for_callers_and_operators_know_the_web() {
        noClasses()
                .that()
                .resideInAPackage(ROOT + ".wire..")
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage(ROOT + ".intake..", ROOT + ".http..", ROOT + ".sql..", "org.springframework..")
                .check(CLASSES);
        noClasses()
                .that()
                .resideOutsideOfPackages(ROOT + ".http..", ROOT + ".dashboard..", ROOT)
                .should()
                .dependOnClassesThat(
                        resideInAnyPackage("dev.turno.web..", "jakarta.servlet..", "org.springframework.web..")
                                .and(resideOutsideOfPackage("dev.turno.web.sql")))
                .check(CLASSES);
    }

    @Test
    void no_room_looks_into_the_engines_sql() {
        noClasses()
                .should()
                .dependOnClassesThat()
                .resideInAPackage("dev.turno.sql..")
                .check(CLASSES);
    }
}
