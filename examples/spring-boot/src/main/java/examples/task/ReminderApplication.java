package examples.task;

import dev.turno.spring.TaskHandler;
import dev.turno.spring.TurnoCron;
import dev.turno.spring.TurnoTemplate;
import dev.turno.task.NewTask;
import java.time.Duration;
import org.springframework.boot.CommandLineRunner;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.context.annotation.Bean;

/** Work for an instant, and work that comes again: each once in the whole cluster. */
@SpringBootApplication
public class ReminderApplication {

    public record Reminder(String who) {}

    @TaskHandler("reminder")
    void remind(Reminder reminder) {
        System.out.println("reminding " + reminder.who());
    }

    @TurnoCron(value = "30 2 * * *", name = "nightly", zone = "Europe/Berlin")
    void tidyUp() {
        System.out.println("tidying up");
    }

    @Bean
    CommandLineRunner planner(TurnoTemplate turno) {
        return arguments -> turno.schedule(
                NewTask.in("reminder", turno.text(new Reminder("Ada")), Duration.ofSeconds(2))
                        .withKey("ada", NewTask.IfThere.REPLACE));
    }

    public static void main(String[] arguments) {
        SpringApplication.run(ReminderApplication.class, arguments);
    }
}
