package examples.lock;

import dev.turno.lock.Locks;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.scheduling.annotation.EnableScheduling;
import org.springframework.scheduling.annotation.Scheduled;

/** A report that every instance begins and only one writes. */
@SpringBootApplication
@EnableScheduling
public class ReportApplication {

    private final Locks locks;

    ReportApplication(Locks locks) {
        this.locks = locks;
    }

    @Scheduled(fixedRate = 1_000)
    void report() throws InterruptedException {
        String what = locks.whileHolding("report", lease -> {
                    Thread.sleep(700); // it takes its time, and the lease is renewed meanwhile
                    return "written under fence " + lease.fence();
                })
                .fold(
                        ran -> ran.value(),
                        busy -> busy.holder() + " is writing it",
                        lost -> "lost to " + lost.newHolder() + ": two may have written",
                        unavailable -> "the database is away: " + unavailable.why());
        System.out.println(what);
    }

    public static void main(String[] arguments) {
        SpringApplication.run(ReportApplication.class, arguments);
    }
}
