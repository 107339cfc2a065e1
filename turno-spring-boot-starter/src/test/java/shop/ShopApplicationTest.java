package shop;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.turno.Turno;
import dev.turno.spring.TurnoTemplate;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.ConfigurableApplicationContext;

@ExtendWith(OutputCaptureExtension.class)
class ShopApplicationTest {

    private static final Path SOURCE = Path.of("src/test/java/shop/ShopApplication.java");

    @Test
    void one_dependency_and_one_annotation_are_enough(CapturedOutput output) {
        try (ConfigurableApplicationContext shop =
                SpringApplication.run(ShopApplication.class, "--spring.datasource.generate-unique-name=true")) {
            shop.getBean(TurnoTemplate.class).put("orders", "order-1", new ShopApplication.Order("tea", 3));

            Turno turno = shop.getBean(Turno.class);
            await().atMost(Duration.ofSeconds(30))
                    .until(() -> turno.inbox("orders").counts().done() == 1);
        }

        assertThat(output).containsOnlyOnce("shipping 3 x tea");
    }

    /** Without the package, the imports, blank lines and closing braces. */
    @Test
    void it_has_at_most_twelve_lines_of_the_users_code() throws IOException {
        long lines = Files.readString(SOURCE)
                .lines()
                .map(String::strip)
                .filter(line -> !line.isEmpty() && !line.equals("}") && !line.matches("(package|import) .*"))
                .count();

        assertThat(lines).isLessThanOrEqualTo(12);
    }

    @Test
    void the_guide_and_the_readme_show_it_as_it_stands() throws IOException {
        String source = Files.readString(SOURCE);

        assertThat(Files.readString(Path.of("../docs/spring-boot.md"))).contains(source);
        assertThat(Files.readString(Path.of("../README.md"))).contains(source);
    }
}
