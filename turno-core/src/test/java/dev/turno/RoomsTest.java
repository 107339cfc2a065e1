package dev.turno;

import static com.tngtech.archunit.library.Architectures.layeredArchitecture;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.lang.syntax.ArchRuleDefinition;
import org.junit.jupiter.api.Test;

/** Imports go downhill only. */
class RoomsTest {

    private static final JavaClasses CLASSES = new ClassFileImporter()
            .withImportOption(new ImportOption.DoNotIncludeTests())
            .importPackages("dev.turno");

    @Test
    void imports_go_downhill() {
        layeredArchitecture()
                .consideringOnlyDependenciesInAnyPackage("dev.turno..")
                .layer("facade")
                .definedBy("dev.turno")
                .layer("inbox")
                .definedBy("dev.turno.inbox")
                .layer("lock")
                .definedBy("dev.turno.lock")
                .layer("buffer")
                .definedBy("dev.turno.buffer")
                .layer("task")
                .definedBy("dev.turno.task")
                .layer("run")
                .definedBy("dev.turno.run")
                .layer("action")
                .definedBy("dev.turno.action")
                .layer("lane")
                .definedBy("dev.turno.lane")
                .layer("worker")
                .definedBy("dev.turno.worker")
                .layer("holder")
                .definedBy("dev.turno.holder")
                .layer("sql")
                .definedBy("dev.turno.sql")
                .layer("ground")
                .definedBy("dev.turno.claim", "dev.turno.time", "dev.turno.watch")
                .whereLayer("facade")
                .mayNotBeAccessedByAnyLayer()
                .whereLayer("inbox")
                .mayOnlyBeAccessedByLayers("facade")
                .whereLayer("lock")
                .mayOnlyBeAccessedByLayers("facade")
                .whereLayer("buffer")
                .mayOnlyBeAccessedByLayers("facade")
                .whereLayer("action")
                .mayOnlyBeAccessedByLayers("facade")
                .whereLayer("task")
                .mayOnlyBeAccessedByLayers("facade")
                .whereLayer("run")
                .mayOnlyBeAccessedByLayers("action", "facade")
                .whereLayer("lane")
                .mayOnlyBeAccessedByLayers("inbox", "task", "run", "facade")
                .whereLayer("worker")
                .mayOnlyBeAccessedByLayers("inbox", "lock", "buffer", "task", "run", "action", "facade")
                .whereLayer("holder")
                .mayOnlyBeAccessedByLayers("worker", "inbox", "lock", "buffer", "task", "run", "facade")
                .whereLayer("sql")
                .mayOnlyBeAccessedByLayers(
                        "holder", "worker", "lane", "inbox", "lock", "buffer", "task", "run", "action", "facade")
                .check(CLASSES);
    }

    @Test
    void no_room_is_in_a_knot_with_another() {
        slices().matching("dev.turno.(*)..").should().beFreeOfCycles().check(CLASSES);
    }

    @Test
    void the_core_keeps_to_jdbc_and_slf4j() {
        ArchRuleDefinition.noClasses()
                .that()
                .doNotHaveSimpleName("PostgresPost")
                .and()
                .doNotHaveFullyQualifiedName("dev.turno.sql.Database")
                .and()
                .doNotHaveFullyQualifiedName("dev.turno.sql.ServerWarning")
                .and()
                .doNotHaveFullyQualifiedName("dev.turno.sql.H2File")
                .should()
                .dependOnClassesThat()
                .resideOutsideOfPackages(
                        "dev.turno..", "java..", "javax.sql..", "javax.management..", "org.slf4j..", "org.jspecify..")
                .check(CLASSES);
    }

    @Test
    void nobody_reads_a_wall_clock() {
        ArchRuleDefinition.noClasses()
                .should()
                .callMethod(java.time.Instant.class, "now")
                .orShould()
                .callMethod(System.class, "currentTimeMillis")
                .check(CLASSES);
    }
}
