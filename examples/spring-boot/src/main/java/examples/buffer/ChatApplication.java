package examples.buffer;

import dev.turno.buffer.BufferMessage;
import dev.turno.buffer.Burst;
import dev.turno.spring.BurstHandler;
import dev.turno.spring.TurnoTemplate;
import org.springframework.boot.CommandLineRunner;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.context.annotation.Bean;

/** People write in bursts and are answered once. How long is waited stands in application.properties. */
@SpringBootApplication
public class ChatApplication {

    @BurstHandler("chat")
    void answer(Burst burst) {
        System.out.println(burst.key() + " says: " + burst.text().replace("\n", " / "));
    }

    @Bean
    CommandLineRunner writer(TurnoTemplate turno) {
        return arguments -> {
            turno.add("chat", "Ada", BufferMessage.of("1", "hello"));
            turno.add("chat", "Ada", BufferMessage.of("2", "is there a table"));
            turno.add("chat", "Ada", BufferMessage.of("2", "is there a table")); // delivered again: changes nothing
            turno.add("chat", "Ada", BufferMessage.of("3", "for two?"));
        };
    }

    public static void main(String[] arguments) {
        SpringApplication.run(ChatApplication.class, arguments);
    }
}
