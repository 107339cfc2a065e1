package dev.turno.server;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import org.junit.jupiter.api.Test;

class RoomsTest {

    private static final JavaClasses CLASSES = new ClassFileImporter()
            .withImportOption(new ImportOption.DoNotIncludeTests())
            .importPackages("dev.turno.server");

    /** Whoever puts this module on the module path would not start: the core does not export them. */
    @Test
    void no_room_looks_into_those_that_the_core_keeps_to_itself() {
        noClasses()
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage("dev.turno.sql..", "dev.turno.lane..")
                .check(CLASSES);
    }
}
