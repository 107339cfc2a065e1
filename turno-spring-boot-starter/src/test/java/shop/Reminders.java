package shop;

import dev.turno.spring.TaskHandler;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.springframework.stereotype.Component;

/** Takes its time: whoever does not wait for it looks too early. */
@Component
class Reminders {

    final List<String> reminded = new CopyOnWriteArrayList<>();

    @TaskHandler("reminder")
    void remind(String who) throws InterruptedException {
        Thread.sleep(300);
        reminded.add(who);
    }
}
